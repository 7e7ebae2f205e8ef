"""Commands and reports: what they are, how each kind is carried out, and in `ranking` how they are found."""
