"""The types of lsprotocol that are made when they are first used, in a process that has not imported them."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import attrs
define = attrs.define
from cn_daemon.adapters.language_servers import late_types
assert attrs.define is define
from cattrs import Converter
from lsprotocol.types import Position, Range, ResponseError, ResponseErrorMessage
assert not attrs.has(Range) and not attrs.has(ResponseError)

error = ResponseError(code=1, message="no")
assert error == ResponseError(1, "no", None) and "message='no'" in repr(error)
told = Converter().unstructure(ResponseErrorMessage(id=7, error=error))
assert told == {"error": {"code": 1, "message": "no", "data": None}, "jsonrpc": "2.0", "id": 7}, told
assert Position(1, 2) < Position(line=1, character=3)
try:
    Position(line="1", character=0)
except Exception:
    pass
else:
    raise AssertionError("the types' own checks are gone")
assert not attrs.has(Range)


@attrs.define
class Other:
    size: int


assert Other(1) == Other(1)
"""


def test_they_are_the_same_types() -> None:
    subprocess.run([sys.executable, "-P", "-c", SCRIPT], check=True)
