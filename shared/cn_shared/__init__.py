"""What the client and the daemon agree on: verbs, answers, errors, the state file. Standard library only."""

__version__ = "0.1.0"
