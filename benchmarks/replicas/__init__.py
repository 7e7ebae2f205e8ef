"""Several `cn serve` over one library and one PostgreSQL index; see README.md."""
