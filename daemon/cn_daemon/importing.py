"""Imports that take their time run in threads, one after the other: at once they only take turns.

So the ones that are begun first are there first, and what answers /health does not wait for what a question needs.
"""

from __future__ import annotations

import threading

heavy = threading.Lock()
