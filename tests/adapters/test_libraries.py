"""The libraries that the settings name."""

from pathlib import Path

import pytest

from cn_daemon.adapters.libraries import command_shelf
from cn_daemon.settings import Settings
from cn_shared.errors import InputError


def test_a_cache_folder_that_cannot_be_made_is_told_by_the_question_that_needs_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cache folder") as caught:
        command_shelf(tmp_path, Settings(cache_directory=tmp_path / "file" / "cache"))
    assert "CN_CACHE_DIRECTORY" in caught.value.hint
