"""What a module's text says that it exports."""

from __future__ import annotations

import pytest

from cn_daemon.application.modules.exports import exports_default
from cn_daemon.domain.source.text import Document


@pytest.mark.parametrize(
    ("text", "name", "is_default"),
    [
        ("export default a;", "a", True),
        ("export default async function* a() {}", "a", True),
        ("export default abstract class a {}", "a", True),
        ("export default interface a {}", "a", True),
        ("export default b ? a : c;", "a", True),
        ("export default b\n  .c(a);", "a", True),
        ("export = a.b;", "b", True),
        ("export { b, a  as  default };", "a", True),
        ("export { default } from './b';", "default", True),
        ("export default 1;", "default", True),
        ("export default class b { a() {} }", "a", False),
        ("export default b;\na();", "a", False),
        ("export default b.$a;", "a", False),
        ("export { a as b, c as default };", "a", False),
        ("export { a };", "default", False),
    ],
)
def test_what_it_exports_as_its_default(text: str, name: str, is_default: bool) -> None:
    assert exports_default(Document("/w/a.ts", text), {name}) is is_default
