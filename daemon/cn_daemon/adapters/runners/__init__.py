"""What carries commands out: programs, and requests to other servers."""
