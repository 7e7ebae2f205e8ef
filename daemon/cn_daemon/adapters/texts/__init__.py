"""Text search: which files there are, and the process that looks through them."""
