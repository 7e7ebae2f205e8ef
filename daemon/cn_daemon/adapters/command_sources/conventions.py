"""Where agents' clients keep commands, one row a folder, and what a file there is called.

Seen in the documentation of each client. A skill is a folder with a `SKILL.md`; its other files belong to it and are
no commands.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

SKILL = "SKILL.md"
MARKDOWN, PROMPTS, TOML = (".md",), (".prompt.md",), (".toml",)


class Convention(NamedTuple):
    """folder: below the workspace. home: below the home folder, "" where the client has none. endings: of the files
    that are commands. skills: only a `SKILL.md` is one."""

    folder: str
    home: str
    endings: tuple[str, ...] = MARKDOWN
    skills: bool = False

    def is_command(self, name: str) -> bool:
        """Whether a file of that name is a command."""
        if self.skills:
            return name == SKILL
        return name.lower().endswith(self.endings) and not name.startswith(".")

    def name(self, relative: str, frontmatter: Mapping[str, Any]) -> str:
        """What the command at a path below the folder is called: by its file and subfolders, a skill by itself."""
        if self.skills:
            stated = frontmatter.get("name")
            folder = relative.removesuffix(SKILL).strip("/").rpartition("/")[2]
            return stated.strip() if isinstance(stated, str) and _is_name(stated.strip()) else folder
        ending = next(ending for ending in self.endings if relative.lower().endswith(ending))
        return relative[: -len(ending)]


# A configured folder, and a plugin's.
PLAIN = Convention("", "")
CONVENTIONS = (
    Convention(".claude/commands", ".claude/commands"),
    Convention(".cursor/commands", ".cursor/commands"),
    Convention(".claude/skills", ".claude/skills", skills=True),
    Convention(".agents/skills", ".agents/skills", skills=True),
    Convention(".github/skills", ".copilot/skills", skills=True),
    Convention(".cursor/skills", ".cursor/skills", skills=True),
    Convention(".opencode/skills", ".config/opencode/skills", skills=True),
    Convention(".github/prompts", "", PROMPTS),
    Convention(".gemini/commands", ".gemini/commands", TOML),
    Convention(".qwen/commands", ".qwen/commands", (*MARKDOWN, *TOML)),
    Convention(".opencode/commands", ".config/opencode/commands"),
    Convention(".opencode/command", ".config/opencode/command"),
    Convention(".codex/prompts", ".codex/prompts"),
    Convention(".clinerules/workflows", "Documents/Cline/Workflows"),
    Convention(".windsurf/workflows", ".codeium/windsurf/global_workflows"),
    Convention(".roo/commands", ".roo/commands"),
)


def _is_name(text: str) -> bool:
    return 0 < len(text) <= 100 and text.isprintable() and not set(text) & set("/\\")
