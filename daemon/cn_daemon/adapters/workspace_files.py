"""The workspace's files on this machine's disk: `application.ports.Workspace`.

A path is judged by what it really names, after symbolic links: once when it is resolved, and again on the
opened descriptor, because a link can be swapped between the check and the read.
"""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

from cn_daemon.adapters.disclosure import OUTSIDE
from cn_daemon.adapters.near_files import near_files
from cn_daemon.adapters.patient_files import real_path
from cn_daemon.application.hard_texts import HardTexts
from cn_shared.errors import CnError, ForbiddenError, InputError, NotFoundError

CEILING_BYTES = 32 << 20
_BINARY_PROBE = 8192
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class WorkspaceFiles:
    """Reads below `root`, and the single files that `allow` named."""

    def __init__(
        self, root: Path, ceiling_bytes: int = CEILING_BYTES, refusal: Callable[[str], str] = lambda real: OUTSIDE
    ) -> None:
        """refusal: why a file outside may not be shown, by its real path; "" when it may."""
        self.root = Path(os.path.realpath(root))
        self._refusal = refusal
        self._spelled = self.root.as_posix()
        self._inside = f"{self._spelled.rstrip('/')}/"
        self._ceiling_bytes = ceiling_bytes
        self._allowed: set[str] = set()
        self.hard = HardTexts()

    def resolve(self, path: str, cwd: Path | None) -> Path:
        """See the port. A name in another Unicode form (git, macOS) is found when only one fits."""
        if not path or "\0" in path:
            raise InputError("bad_path", "A file is needed." if not path else "The path holds a NUL character.")
        refusals: list[CnError] = []
        for candidate in self._candidates(path, cwd):
            try:
                return self._checked(path, candidate)
            except CnError as refusal:
                refusals.append(refusal)
        # Most telling first: something is there, nothing is there, it may not be looked at.
        weight = {"not_a_file": 0, "unreadable": 1, "bad_path": 2, "file_not_found": 3, "outside_root": 4}
        telling = min(refusals, key=lambda item: weight[item.code])
        raise self._with_near(path, cwd) if telling.code == "file_not_found" else telling

    def kind(self, path: str, cwd: Path | None) -> Literal["file", "folder", ""]:
        """See the port."""
        if not path or "\0" in path:
            return ""
        for candidate in self._candidates(path, cwd):
            real = os.path.realpath(candidate)
            if self._readable(real) and os.path.exists(real):
                return "folder" if os.path.isdir(real) else "file"
        return ""

    def relative(self, path: Path) -> str:
        """`path` as answers spell it."""
        spelled = path.as_posix()
        return spelled.removeprefix(self._inside) if spelled != self._spelled else "."

    def read_text(self, path: Path, *, leniently: bool = False) -> str:
        """See the port. At most 32 MB."""
        return self.hard.checked(self.relative(path), self._text(path, leniently))

    def _text(self, path: Path, leniently: bool) -> str:
        content = self._read(path)
        if content[:2] in _UTF16:
            return content.decode("utf-16", "replace")
        if _is_binary(content):
            file = self.relative(path)
            raise InputError("binary_file", f"{file} is not a text file.", "Only text files can be read.", file=file)
        try:
            return content.decode("utf-8-sig", "replace" if leniently else "strict")
        except UnicodeDecodeError as error:
            # The codec counts from behind the byte order mark.
            start = error.start + (3 if content.startswith(b"\xef\xbb\xbf") else 0)
            line = content.count(b"\n", 0, start) + 1
            file = self.relative(path)
            message = f"{file} is not valid UTF-8 in line {line}."
            raise InputError("invalid_utf8", message, "Save the file as UTF-8.", file=file, line=line) from None

    def allow(self, path: Path) -> str:
        """See the port."""
        real = os.path.realpath(path)
        refused = "" if self._readable(real) else self._refusal(real)
        if not refused:
            self._allowed.add(real)
        return refused

    def _candidates(self, path: str, cwd: Path | None) -> Iterator[str]:
        if Path(path).is_absolute():
            yield path
            # Some take the root for that of the file system: `/src/a.ts`.
            below = os.path.join(self.root, path.lstrip("/"))
            if not os.path.lexists(path) and os.path.exists(below):
                yield below
            return
        if cwd is not None:
            yield os.path.join(cwd, path)
        yield os.path.join(self.root, path)

    def _checked(self, path: str, candidate: str) -> Path:
        real = os.path.realpath(candidate)
        if not self._readable(real):
            raise self._outside(path)
        try:
            facts = Path(real).stat()
        except (FileNotFoundError, NotADirectoryError):
            renamed = self._in_another_form(real)
            if renamed is None:
                raise NotFoundError("file_not_found", f"There is no file {path}.") from None
            return self._checked(path, renamed)
        except OSError as error:
            raise _unreadable(path, error) from None
        if not stat.S_ISREG(facts.st_mode):
            what = "a folder" if stat.S_ISDIR(facts.st_mode) else "no regular file"
            raise InputError("not_a_file", f"{path} is {what}.", "Name one file.", file=path)
        return Path(real)

    def _readable(self, real: str) -> bool:
        inside = real.startswith(os.path.join(self.root, "")) or real == str(self.root)
        return inside or real in self._allowed

    def _in_another_form(self, real: str) -> str | None:
        """The one existing path that differs from `real` in Unicode normalisation only, or None."""
        if real.isascii() or not real.startswith(os.path.join(self.root, "")):
            return None
        found = str(self.root)
        for part in Path(real).relative_to(self.root).parts:
            exact = os.path.join(found, part)
            if not os.path.lexists(exact):
                form = unicodedata.normalize("NFC", part)
                names = [name for name in _names(found) if unicodedata.normalize("NFC", name) == form]
                if len(names) != 1:
                    return None
                exact = os.path.join(found, names[0])
            found = exact
        return found if found != real else None

    def _read(self, path: Path) -> bytes:
        spelled = self.relative(path)
        try:
            stream = open(path, "rb", opener=_at_once)  # noqa: SIM115
        except (FileNotFoundError, NotADirectoryError):
            raise NotFoundError("file_not_found", f"{spelled} is not there any more.", file=spelled) from None
        except IsADirectoryError:
            raise _no_file(spelled) from None
        except OSError as error:
            raise _unreadable(spelled, error) from None
        with stream:
            facts = os.fstat(stream.fileno())
            if not self._readable(real_path(stream.fileno(), str(path))):
                raise self._outside(spelled)
            if not stat.S_ISREG(facts.st_mode):
                raise _no_file(spelled)
            try:
                content = b"" if facts.st_size > self._ceiling_bytes else stream.read(self._ceiling_bytes + 1)
            except OSError as error:
                raise _unreadable(spelled, error) from None
        if max(facts.st_size, len(content)) > self._ceiling_bytes:
            limit = f"{self._ceiling_bytes / (1 << 20):g} MB"
            raise InputError("too_large", f"{spelled} is larger than {limit}.", file=spelled, size=facts.st_size)
        return content

    def _outside(self, path: str) -> ForbiddenError:
        return ForbiddenError("outside_root", f"{path} lies outside the workspace.",
                              f"Files below {self.root} can be read.", file=path)  # fmt: skip

    def _with_near(self, path: str, cwd: Path | None) -> NotFoundError:
        near = near_files(self.root, path, cwd)
        hint = f"Did you mean {' or '.join(near[:3])}?" if near else "Paths start at the current folder or the root."
        return NotFoundError("file_not_found", f"There is no file {path}.", hint, file=path, near=near)


def _at_once(path: str, flags: int) -> int:
    """A pipe or a terminal put in the file's place must not hang us, or become our terminal."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)


def _no_file(path: str) -> InputError:
    return InputError("not_a_file", f"{path} is not a regular file.", "Name one file.", file=path)


def _unreadable(path: str, error: OSError) -> InputError:
    if error.errno == errno.ENAMETOOLONG:
        return InputError("bad_path", f"The path is too long: {path[:60]}…")
    if error.errno == errno.ELOOP:
        return InputError("bad_path", f"{path} is a link that leads back to itself.", file=path)
    return ForbiddenError("unreadable", f"{path} cannot be read: {error.strerror}.", file=path)


def _names(folder: str) -> list[str]:
    try:
        return [entry.name for entry in Path(folder).iterdir()]
    except OSError:
        return []


def _is_binary(content: bytes) -> bool:
    """NULs tell. A source may hold some in its own texts: it is UTF-8, and these are few in it."""
    nuls = content.count(0, 0, _BINARY_PROBE)
    if not nuls:
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return True
    return nuls * 10 > min(len(content), _BINARY_PROBE)
