"""What the lines say, as a person asks it: pages of them, what one changed, the state after it."""
