"""Which names a file imports."""

from __future__ import annotations

import pytest

from cn_daemon.application.survey import _imported
from cn_daemon.domain.text import Document


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import { operate } from '../util/observable';", {"operate"}),
        ('export { total } from "./from";', {"total"}),
        ("import { from, type Row as Line } from './observable/from';", {"from", "Row", "Line"}),
        ("const { scan } = require('./scan/tokens');", {"scan"}),
        ("import './observable';", set()),
    ],
)
def test_keyword_from_and_paths_of_modules_were_counted_as_imported_symbols(text: str, names: set[str]) -> None:
    words = {"import", "export", "type", "as", "const", "require"}
    assert _imported(Document("/a.js", text)) - words == names
