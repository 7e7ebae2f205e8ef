"""YAML that anybody may have written.

What aliases repeat is shared until somebody copies it; what `<<` merges is copied while it is read, and some hundred
lines of it make a million keys (twenty before PyYAML 6.0.4, which merges none twice). libyaml builds its tree by
recursion without an end: some ten thousand `[` would take the process down, with no exception to catch.
"""

from __future__ import annotations

from functools import cache
from typing import Any

_MERGED_MOST = 100_000
_DEEPEST = 200


def load(content: str | bytes) -> Any:
    """The document. Raises yaml.YAMLError, ValueError, RecursionError."""
    import yaml  # late: a start needs none

    text = content if isinstance(content, str) else content.decode("utf-8-sig", "replace")
    # A level needs a bracket, or at least half a column: of most files that is enough to know.
    if text.count("[") + text.count("{") > _DEEPEST or max(map(len, text.splitlines()), default=0) > _DEEPEST // 2:
        _measure(text)
    return yaml.load(text, _loader())


def _measure(text: str) -> None:
    import yaml

    depth = 0
    for event in yaml.parse(text, _loader()):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise yaml.YAMLError(f"it is nested more than {_DEEPEST} deep")


@cache
def _loader() -> Any:
    import yaml
    from yaml.constructor import ConstructorError

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        merged = 0

        def flatten_mapping(self, node: Any) -> None:
            before = len(node.value)
            super().flatten_mapping(node)
            self.merged += max(0, len(node.value) - before)
            if self.merged > _MERGED_MOST:
                raise ConstructorError(None, None, "it merges too much", node.start_mark)

    return Loader
