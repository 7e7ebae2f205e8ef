"""The part of a caller's environment that the daemon's settings depend on, and its fingerprint."""

import os

PREFIXES = ("CN_", "AICMD_")
# What decides which programs and which Python packages are found.
NAMED = ("PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH")
CLIENT_ONLY = ("CN_ROOT", "CN_FORMAT", "CN_DEBUG")


def values() -> dict[str, str]:
    """Those of `NAMED` and every CN_* and AICMD_* value of this process, but those that only the client reads."""
    environ = os.environ
    return {name: environ[name] for name in environ if is_passed_on(name) and name not in CLIENT_ONLY}


def is_passed_on(name: str) -> bool:
    """Whether a variable is passed on to the daemon."""
    return name.startswith(PREFIXES) or name in NAMED


def fingerprint(chosen: dict[str, str]) -> str:
    """16 hex digits that differ when the values do. Says nothing about them: it may be logged."""
    return digest("\0".join(f"{name}={chosen[name]}" for name in sorted(chosen)))


def digest(text: str, key: bytes = b"") -> str:
    """16 hex digits; with a `key`, 64. The C module itself: hashlib takes 2.7 ms to import, a fifth of a warm call."""
    try:
        from _blake2 import blake2b
    except ImportError:  # another Python than CPython
        from hashlib import blake2b
    return blake2b(text.encode("utf-8", "surrogateescape"), digest_size=32 if key else 8, key=key).hexdigest()
