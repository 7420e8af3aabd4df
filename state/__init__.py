"""What is true of a project: the journal, its index and the rules. Knows nothing of a screen."""

__version__ = "0.1.0"
