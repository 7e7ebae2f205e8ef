"""Which specifiers of imports may lead into the workspace."""

from __future__ import annotations

from cn_daemon.application.context import Context


class Specifiers:
    """For one question."""

    def __init__(self, context: Context) -> None:
        self._words = context[0]
        self._inside: dict[str, bool] = {}

    def is_inside(self, module: str) -> bool:
        """Whether a specifier may lead into the workspace."""
        if module not in self._inside:
            self._inside[module] = self._leads_inside(module)
        return self._inside[module]

    def _leads_inside(self, module: str) -> bool:
        packages = self._words.packages()
        root = "/".join(module.split("/")[: 2 if module.startswith("@") else 1])
        if module.startswith((".", "/", "#", "@/", "~")) or root in packages.folders or packages.is_alias(module):
            return True
        return root not in packages.dependencies and self._words.leads_inside(module)
