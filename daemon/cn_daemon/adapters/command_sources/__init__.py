"""Where commands come from: one file per kind of library, each a `Reader` in a thread of its own."""
