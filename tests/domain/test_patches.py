"""What a patch changes, and which declarations that touches."""

from __future__ import annotations

from cn_daemon.domain.declarations.outline import Declaration, flatten
from cn_daemon.domain.patches import Patch, read, touched
from cn_daemon.domain.source.text import Position, Span

DIFF = """\
diff --git src/a.ts src/a.ts
index 1..2 100644
--- src/a.ts
+++ src/a.ts
@@ -3 +3,2 @@ class A {
-  old
+diff --git b b
+@@ -1 +1 @@
@@ -9,2 +10,0 @@
-x
-y
diff --git new file.ts new file.ts
new file mode 100644
index 0..1
--- /dev/null
+++ new file.ts
@@ -0,0 +1,3 @@
+1
+2
+3
\\ No newline at end of file
diff --git gone.ts gone.ts
deleted file mode 100644
--- gone.ts
+++ /dev/null
@@ -1,2 +0,0 @@
-1
-2
diff --git a.ts sub/b.ts
similarity index 90%
rename from a.ts
rename to sub/b.ts
@@ -1,0 +2 @@
+new
diff --git image.png image.png
index 1..2 100644
Binary files image.png and image.png differ
"""


def test_a_patch_is_read_file_by_file() -> None:
    assert list(read(DIFF)) == [
        Patch("src/a.ts", "modified", None, [(3, 3), (9, 10)], [(3, 4), (11, 10)], 2, 3, "1"),
        Patch("new file.ts", "added", None, [(1, 0)], [(1, 3)], 3, 0),
        Patch("gone.ts", "deleted", None, [(1, 2)], [(1, 0)], 0, 2),
        Patch("sub/b.ts", "renamed", "a.ts", [(2, 1)], [(2, 2)], 1, 0),
        Patch("image.png", "modified", None, [], [], blob="1", opaque=True),
    ]
    assert list(read("")) == []


def outline() -> list[Declaration]:
    """A class of the lines 2-10 with the methods a (4-5) and b (7-8), and a function of 12-14 with a local in 13."""

    def declared(name: str, kind: str, first: int, last: int, above: Declaration | None = None) -> Declaration:
        span = Span(Position(first, 1), Position(last, 2))
        one = Declaration("a.ts", name, kind, span, span, parent=above)
        if above is not None:
            above.children.append(one)
        return one

    holder = declared("Holder", "Class", 2, 10)
    declared("a", "Method", 4, 5, holder)
    declared("b", "Method", 7, 8, holder)
    function = declared("run", "Function", 12, 14)
    declared("inner", "Constant", 13, 13, function).local = True
    return [holder, function]


def names(*ranges: tuple[int, int]) -> list[str]:
    return [one.name for one in touched(outline(), ranges)]


def test_the_innermost_declarations_are_touched() -> None:
    assert names((5, 5)) == ["a"]
    assert names((5, 7)) == ["Holder", "a", "b"]
    assert names((2, 2)) == ["Holder"]
    assert names((1, 20)) == ["Holder", "a", "b", "run"]
    assert names((13, 13)) == ["run"]
    assert names((11, 11)) == names((1, 1)) == names() == []


def test_lines_that_are_gone_lay_between_two_that_are_there() -> None:
    assert names((5, 4)) == ["a"]
    assert names((7, 6)) == names((6, 5)) == ["Holder"]
    assert names((14, 13)) == ["run"]
    assert names((11, 10)) == names((12, 11)) == names((1, 0)) == []
    assert len(list(flatten(outline()))) == 5
