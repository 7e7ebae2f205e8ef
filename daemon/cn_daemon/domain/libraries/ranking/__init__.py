"""How commands are ranked: one file per ranking, each pure."""
