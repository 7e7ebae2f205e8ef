"""How well and how fast commands and reports are found; see README.md."""
