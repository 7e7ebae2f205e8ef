"""The file in which loose ones are named."""

from __future__ import annotations

from cn_daemon.adapters.language_servers.tsserver.roll import Roll


def test_modules_of_typescript_are_named_in_order_as_long_as_they_are_loose() -> None:
    roll = Roll(lambda path: path.endswith("global.ts"))
    assert roll.add(["/w/b.ts", "/w/a.tsx", "/w/global.ts", "/w/run.js", '/w/"c".ts', "/w/d\n.ts"])
    assert roll.text() == '/// <reference path="/w/a.tsx" />\n/// <reference path="/w/b.ts" />\n'
    assert not roll.add(["/w/b.ts", "/w/run.js"])
    assert not roll.keep({"/w/a.tsx", "/w/b.ts", "/w/run.js"})
    assert roll.keep({"/w/b.ts"})
    assert roll.text() == '/// <reference path="/w/b.ts" />\n'
    roll.clear()
    assert roll.text() == ""
