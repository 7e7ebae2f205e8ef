"""Whether what a question has loaded is still loaded."""

from __future__ import annotations

from contextvars import ContextVar

from cn_shared.errors import LanguageServerError


class Standing:
    """Questions share one server. What one of them finds deleted or configured anew may close a project that another
    has loaded and not asked yet: asked now, the server would answer from the rest as if that were all.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._losses = 0
        # How many there had been when the question of this task loaded its projects.
        self._loaded: ContextVar[int | None] = ContextVar("loaded", default=None)

    def lost(self) -> None:
        """A project that was loaded is so no more."""
        self._losses += 1

    def loaded(self) -> None:
        """The question of this task counts on what is loaded now. Raises as `check`."""
        self.check()
        self._loaded.set(self._losses)

    def check(self) -> None:
        """Before the server is asked. Raises LanguageServerError (`projects_changed`): the question is begun anew."""
        if self._loaded.get() not in (None, self._losses):
            raise LanguageServerError(
                "projects_changed",
                f"Projects of {self._name} changed in the middle of the question.",
                hint="Ask again.",
            )
