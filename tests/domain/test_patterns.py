"""Which keys of patterns a server may not know, and which are declared, or stand in values."""

from __future__ import annotations
