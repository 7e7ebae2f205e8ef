"""The file that keeps facts: whose it may be, who writes it, and that nothing needs it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from cn_daemon.adapters.compilers import facts_file


def test_it_is_the_users_alone_and_has_one_writer(tmp_path: Path) -> None:
    path = tmp_path / "facts" / "key"
    with facts_file.opened(path) as first, facts_file.opened(path) as second:
        assert first is not None
        assert second is not None
        assert (first.writable, second.writable) == (True, False)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        process = os.dup(first.descriptor)  # as the process of the bindings has it
    with facts_file.opened(path) as third:
        assert third is not None
        assert not third.writable
    os.close(process)
    with facts_file.opened(path) as fourth:
        assert fourth is not None
        assert fourth.writable


def test_what_is_no_file_of_ours_is_replaced_and_left_as_it_is(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("mine")
    for number, put in enumerate((os.symlink, os.link)):
        path = tmp_path / f"facts{number}" / "key"
        path.parent.mkdir()
        put(other, path)
        with facts_file.opened(path) as found:
            assert found is not None
            os.write(found.descriptor, b"facts")
    assert other.read_text() == "mine"


def test_there_is_none_where_it_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with facts_file.opened(tmp_path / "file" / "facts" / "key") as found:
        assert found is None
    with facts_file.opened(None) as found:
        assert found is None
    (tmp_path / "facts" / "key").mkdir(parents=True)
    with facts_file.opened(tmp_path / "facts" / "key") as found:
        assert found is None


def test_those_that_nobody_used_for_a_month_go(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for path in (old, new):
        path.write_text("")
    os.utime(old, (0, 0))
    with facts_file.opened(tmp_path / "key"):
        assert sorted(path.name for path in tmp_path.iterdir()) == ["key", "new"]
