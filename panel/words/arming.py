"""What the confirmation of arming or resuming says besides what is agreed to (W6)."""

from __future__ import annotations

ARM, RESUME = "Arm the wake window of", "Resume the wake window of"
LOOKING = "looking at policy, adapter and consumers…"
CANNOT = "It can't be done now:"
CHANGED = "It was changed since you looked. Nothing was written. This is what is there now."
NOW = "As it is now"
STILL_LOOKING = "what is there now is still being looked at"


def can_agree(key: str, *, resumes: bool) -> str:
    """W6: the one key that arms or resumes."""
    does, done = ("resumes", "resumed") if resumes else ("arms", "armed")
    return f"{key} {does} it, exactly as shown. Nothing is {done} by any other key."
