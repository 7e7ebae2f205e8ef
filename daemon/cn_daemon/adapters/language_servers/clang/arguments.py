"""The arguments of a compiler that say how code is read, and do nothing else.

A repository's `compile_commands.json` would have clangd write files (`-serialize-diagnostics`, `-fmodules-cache-path`,
`-MF`, `-ftime-trace`), load programs (`-fplugin`, `-Xclang -load`) and read any folder (`-I`, `-isysroot`). What is not
in these lists is left out.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

# With a folder or a file behind them, in the same argument or the next.
_FOLDERS = ("-I", "-isystem", "-iquote", "-idirafter", "-isystem-after", "-cxx-isystem", "-F", "-iframework")
_FILES = ("-include", "-imacros")
_ROOTS = ("-isysroot", "--sysroot")
# With a word behind them, in the same argument or the next.
_WORDS = ("-D", "-U", "-x", "-target", "-arch")
_PLAIN = re.compile(
    r"""-std=[\w+:]+ | --target=[\w.-]+ | -stdlib=[\w+]+ | -ansi | -undef | -trigraphs | -pthread | -nostdinc(?:\+\+)?
    | -nostdlibinc | -nobuiltininc | -nogpulib | -O(?:[0-4sgz]|fast)? | -w | -pedantic(?:-errors)?
    | -W(?!p$|l$|a$)[a-z][\w+-]*(?:=[\w+-]+)? | --driver-mode=(?:gcc|g\+\+|cpp)
    | -m(?:32|64|x32|thumb|arm|red-zone|soft-float|hard-float|sse[\d.a-z]*|avx[\w.]*|fma4?|bmi2?|aes|sha|popcnt|lzcnt
        |mmx|f16c|adx|xsave\w*|pclmul|rdrnd|rdseed|gpr-only|general-regs-only|ms-bitfields|unaligned-access|strict-align
        |long-calls|outline-atomics|crc|simd128|relaxed-simd|altivec|vsx|power\d+-vector)
    | -mno-[\w.-]+ | -m(?:arch|cpu|tune|fpu|float-abi|abi|cmodel|thread-model|tls-dialect|default-visibility
        |macosx-version-min|macos-version-min|ios-version-min|iphoneos-version-min|preferred-stack-boundary
        |stack-alignment|isa|simd|branch-protection)=[\w.+-]+
    | -f(?:no-)?(?:exceptions|cxx-exceptions|rtti|pic|PIC|pie|PIE|signed-char|unsigned-char|builtin|short-enums
        |short-wchar|ms-extensions|ms-compatibility|delayed-template-parsing|char8_t|coroutines|blocks|objc-arc
        |objc-exceptions|objc-weak|openmp|openmp-simd|declspec|strict-aliasing|strict-overflow|wrapv|trapv|fast-math
        |math-errno|finite-math-only|gnu89-inline|gnu-keywords|asm|dollars-in-identifiers|trigraphs|common
        |omit-frame-pointer|data-sections|function-sections|inline-functions|inline|unroll-loops|stack-protector
        |stack-protector-strong|stack-protector-all|stack-clash-protection|threadsafe-statics|use-cxa-atexit
        |visibility-inlines-hidden|visibility-ms-compat|semantic-interposition|plt|lto|operator-names|elide-constructors
        |sized-deallocation|aligned-allocation|aligned-new|relaxed-template-template-args|access-control|pascal-strings
        |apple-kext|zero-initialized-in-bss|merge-all-constants|strict-enums|unwind-tables|asynchronous-unwind-tables
        |color-diagnostics|diagnostics-color|cx-limited-range|rounding-math|signed-zeros|associative-math
        |reciprocal-math|trapping-math|unsafe-math-optimizations|implicit-constexpr|new-infallible|xl-pragma-pack)
    | -ffreestanding | -fhosted | -f(?:visibility|lto|fp-contract|cf-protection|ms-compatibility-version|msc-version
        |objc-runtime|objc-abi-version|constexpr-depth|constexpr-steps|template-depth|bracket-depth|abi-version
        |clang-abi-compat|max-errors|error-limit|diagnostics-color|stack-protector|wchar-type|character-set
        |input-charset|exec-charset|c\+\+-abi)=[\w.+-]+
    | -f(?:no-)?sanitize=[\w,-]+""",
    re.VERBOSE,
)
# They say what is written where, and how it is linked: clangd does without, and nobody misses them.
_IDLE = re.compile(
    r"-c|-S|-E|-pipe|-v|-g\w*|-gdwarf-\d|-M|-MM|-MD|-MMD|-MG|-MP|-MV|-rdynamic|-static|-shared|-pie|-no-pie|-s|-p|-pg"
    r"|-l.+|-L.+|-Wl,.*|-o.+|-MF.+|-MT.+|-MQ.+|-f(?:debug|file|macro|coverage|profile)-prefix-map=.*"
    r"|--coverage|-fprofile-arcs|-ftest-coverage|-fcoverage-mapping|-fprofile-instr-generate.*"
)
# What is behind these is for another program.
_ELSEWHERE = frozenset({"-Xpreprocessor", "-Xassembler", "-Xlinker", "-mllvm", "-mmlir"})
_IDLE_WITH_WORD = frozenset({"-o", "-MF", "-MT", "-MQ", "-MJ", "-L", "-l", "-dumpdir", "-dumpbase", "-u", "-z", "-T"})
_WRAPPERS = frozenset({"ccache", "sccache", "distcc", "icecc", "colorgcc"})
_COMPILER = re.compile(r"[\w.+-]*(?:clang|gcc|g\+\+|c\+\+|cc)[\w.+-]*")
_LARGEST = 1 << 20
_NESTED = 4


class Kept(NamedTuple):
    """arguments: those that are harmless, paths in them absolute. dropped: the names of the others."""

    arguments: list[str]
    dropped: set[str]


class Reader:
    """readable: whether a compiler may read what really lies there. read: the text of a file. Raises OSError."""

    def __init__(self, readable: Callable[[str], bool], read: Callable[[str], str]) -> None:
        self._readable = readable
        self._read = read

    def command(self, words: Sequence[str], folder: str, file: str) -> Kept:
        """Of a full command, run in a folder to compile a file: with the compiler's name and the file."""
        names = [os.path.basename(word.replace("\\", "/")).removesuffix(".exe") for word in words[:2]]
        named = next((name for name in names if name not in _WRAPPERS), "")
        kept = self.flags(words[1:], folder)
        if named in ("cl", "clang-cl"):
            kept.dropped.add("the options of clang-cl")
        compiler = named if _COMPILER.fullmatch(named) and named != "clang-cl" else "clang"
        return Kept([compiler, *kept.arguments, "--", file], kept.dropped)

    def flags(self, arguments: Iterable[str], folder: str) -> Kept:
        """Of the arguments alone; what they say to the compiler behind its driver (`-Xclang`) is judged as all else."""
        kept = Kept([], set())
        words = (word for word in self._expanded(arguments, folder, kept.dropped, _NESTED) if word != "-Xclang")
        for word in words:
            if word == "--":
                break  # inputs alone
            self._take(word, words, folder, kept)
        return kept

    def _take(self, word: str, behind: Iterator[str], folder: str, kept: Kept) -> None:
        option = next((one for one in (*_FOLDERS, *_FILES, *_ROOTS, *_WORDS) if _is(word, one)), "")
        if word in _IDLE_WITH_WORD:
            next(behind, "")
        elif _PLAIN.fullmatch(word):
            kept.arguments.append(word)
        elif option:
            value = word[len(option) :].removeprefix("=") if option in _ROOTS else word[len(option) :]
            value = value or next(behind, "")
            self._option(option, value, folder, kept)
        elif word.startswith("-") and not _IDLE.fullmatch(word):
            kept.dropped.add(_name(word))
            if word in _ELSEWHERE:
                next(behind, "")

    def _option(self, option: str, value: str, folder: str, kept: Kept) -> None:
        if option in _WORDS:
            # `-D` and `-U` take any text; the names of languages and targets are words.
            if option in ("-D", "-U") or re.fullmatch(r"\w[\w.+-]*", value):
                kept.arguments.extend((option, value))
            else:
                kept.dropped.add(option)
            return
        path = os.path.normpath(os.path.join(folder, value))
        if value and not value.startswith("=") and self._readable(os.path.realpath(path)):
            kept.arguments.extend([f"{option}={path}"] if option == "--sysroot" else [option, path])
        else:
            kept.dropped.add(f"{option} {value}")

    def _expanded(self, words: Iterable[str], folder: str, dropped: set[str], depth: int) -> Iterator[str]:
        """With the arguments of response files (`@FILE`) in their place."""
        for word in words:
            if not word.startswith("@") or len(word) == 1:
                yield word
                continue
            path = os.path.normpath(os.path.join(folder, word[1:]))
            try:
                text = self._read(path) if depth and self._readable(os.path.realpath(path)) else None
                if text is None or len(text) > _LARGEST:
                    raise ValueError
                yield from self._expanded(shlex.split(text), folder, dropped, depth - 1)
            except (OSError, ValueError):
                dropped.add(word)


def _is(word: str, option: str) -> bool:
    """Whether a word is that option, alone or with its value: `-include` is no `-I`, `-isystem-after` no `-isystem`."""
    if word == option or (option in _ROOTS and word.startswith(f"{option}=")):
        return True
    if option in ("-I", "-D", "-U", "-F", "-x") or (option in _FOLDERS and word[len(option) :].startswith("/")):
        return word.startswith(option)
    return False


def _name(word: str) -> str:
    """An option without its value, which may be long."""
    return word.partition("=")[0].partition(",")[0][:60]
