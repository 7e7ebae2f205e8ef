"""The documents of answers, and the bytes that they leave as."""

from __future__ import annotations

import dataclasses
import itertools
import json

from cn_daemon.interfaces.replies import json_bytes
from cn_shared.wire import LocationRef, document, key


def test_a_place_is_told_as_any_dataclass_is() -> None:
    for name, container, external in itertools.product(("run", None), ("Task", None), (True, None)):
        place = LocationRef("ref::a.ts::1::2", "a.ts", 1, 2, "Method", "run() {", name, container, external)
        values = dataclasses.asdict(place)
        assert list(document(place).items()) == [(key(name), one) for name, one in values.items() if one is not None]


def test_json_is_written_as_the_standard_library_writes_it() -> None:
    value = {"a/b": ['\x00\x1f\x7f\n\t"\\', "é\u2028😀"], "n": [0, -1, 1 << 80, 0.1, 100.0, True, None], "": {}}
    assert json_bytes(value).decode() == json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
    assert json_bytes("\x85\u202e\u2066a") == b'"\\u0085\\u202e\\u2066a"\n'
    assert json_bytes("\u061c\u200e\U000e0041a") == b'"\\u061c\\u200e\\udb40\\udc41a"\n'
    assert json_bytes({"odd": "\udc80é"}) == b'{"odd":"\\udc80\\u00e9"}\n'
