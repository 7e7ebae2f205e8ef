"""Every verb of `cn_shared.verbs` as a method, sync and async.

Written from the table by `GOLDEN=write pytest tests/sdk/test_verbs.py`: change that, not this.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from cn_client.sdk.asking import Path, T
from cn_shared.relations import (
    CalleesAnswer,
    CallersAnswer,
    HoverAnswer,
    ImplsAnswer,
    RefsAnswer,
    TypesAnswer,
)
from cn_shared.surveys import (
    ChangedAnswer,
    DiagnosticsAnswer,
    GrepAnswer,
    OverviewAnswer,
)
from cn_shared.wire import (
    FindAnswer,
    InspectAnswer,
    MapAnswer,
    StatusAnswer,
)


class Verbs(ABC):
    @abstractmethod
    def _ask(
        self, verb: str, kind: type[T] | None, given: Mapping[str, Any], deadline_s: float | None, budget: int | None
    ) -> Any: ...

    def map(
        self,
        file_path: Path,
        *,
        limit: int = 0,
        cursor: str | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> MapAnswer:
        """Outline a file: every symbol with its kind and line.

        Every class, function, member and constant that FILE declares, in source order, each with an id that
        find and inspect take.

        file_path: The file, relative to the current folder or to the root.
        limit: At most this many symbols; 0 is all.
        cursor: Continue an earlier answer: its `next`.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: MapAnswer = self._ask(
            "map",
            MapAnswer,
            {
                "filePath": file_path,
                "limit": limit,
                "cursor": cursor,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    def find(
        self,
        query: str,
        *,
        mode: Literal["definition", "reference", "both"] = "both",
        limit: int = 200,
        cursor: str | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        explain: bool | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> FindAnswer:
        """Find a symbol's definition and its references.

        QUERY is a name (User), a member (User.rename), a name in a file (src/user.ts:User), a position
        (src/user.ts:10:14) or an id from an earlier answer. Every answer says whether it is complete. Names by
        pattern (*Router, User.get*, /get.*Path/, User|Order) are listed; a file is answered by its map, a
        folder by its overview, lines of a file (src/user.ts:10-20) by inspect.

        query: A name, Container.member, path:name, path:line:character, an id, or for find names by pattern
            (*Router).
        mode: What to look for.
        limit: At most this many references; 0 is all.
        cursor: Continue an earlier answer: its `next`.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        explain: Tell also who answered, how much and how fast.
        """
        answer: FindAnswer = self._ask(
            "find",
            FindAnswer,
            {
                "query": query,
                "mode": mode,
                "limit": limit,
                "cursor": cursor,
                "server": server,
                "explain": explain,
            },
            deadline_s,
            budget,
        )
        return answer

    def inspect(
        self,
        target_id: str,
        *,
        expand: Literal["block", "surround"] = "block",
        lines: int = 5,
        parts: Sequence[str] | None = None,
        without: Sequence[str] | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> InspectAnswer:
        """Show the code of a symbol or a place.

        ID comes from map or find, or is <path>#Container.member. By default the whole declaration is shown, or
        the block that encloses the place; surround shows the lines around it.

        target_id: An id from map or find, or <path>#Container.member.
        expand: How much to show.
        lines: Lines either side, for surround.
        parts: Tell also members, callers, impls or tests, or all of them; may be repeated.
        without: All parts but this; may be repeated.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: InspectAnswer = self._ask(
            "inspect",
            InspectAnswer,
            {
                "targetId": target_id,
                "expand": expand,
                "lines": lines,
                "parts": parts,
                "without": without,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    def refs(
        self,
        query: str,
        *,
        limit: int = 200,
        cursor: str | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> RefsAnswer:
        """List every mention of a symbol, by file.

        Each mention says what it does (call, import, declare, use) and which declaration holds it; tests come
        last.

        query: A name, Container.member, path:name, path:line:character, an id, or for find names by pattern
            (*Router).
        limit: At most this many mentions; 0 is all.
        cursor: Continue an earlier answer: its `next`.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: RefsAnswer = self._ask(
            "refs",
            RefsAnswer,
            {
                "query": query,
                "limit": limit,
                "cursor": cursor,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    def callers(
        self,
        query: str,
        *,
        depth: int = 1,
        limit: int = 100,
        cursor: str | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> CallersAnswer:
        """Show what calls a symbol.

        The declarations that call QUERY, in every project, and where; one that hands a function on counts.
        --depth shows their callers too.

        query: A name, Container.member, path:name, path:line:character, an id, or for find names by pattern
            (*Router).
        depth: How many levels of callers.
        limit: At most this many callers; 0 is all.
        cursor: Continue an earlier answer: its `next`.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: CallersAnswer = self._ask(
            "callers",
            CallersAnswer,
            {
                "query": query,
                "depth": depth,
                "limit": limit,
                "cursor": cursor,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    def callees(
        self,
        query: str,
        *,
        limit: int = 100,
        cursor: str | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> CalleesAnswer:
        """Show what a symbol calls.

        Everything that the code of QUERY calls and where it is declared; what packages and the language bring
        last.

        query: A name, Container.member, path:name, path:line:character, an id, or for find names by pattern
            (*Router).
        limit: At most this many callees; 0 is all.
        cursor: Continue an earlier answer: its `next`.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: CalleesAnswer = self._ask(
            "callees",
            CalleesAnswer,
            {
                "query": query,
                "limit": limit,
                "cursor": cursor,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    def impls(
        self,
        query: str,
        *,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> ImplsAnswer:
        """Show what implements a symbol.

        The classes, members and object literals that implement or override an interface, a class or a member.
        An object literal in a call, a list or a condition is listed for a member only, such as Store.save.

        query: A name, Container.member, path:name, path:line:character, an id, or for find names by pattern
            (*Router).
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: ImplsAnswer = self._ask("impls", ImplsAnswer, {"query": query, "server": server}, deadline_s, budget)
        return answer

    def types(
        self,
        query: str,
        *,
        depth: int = 3,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> TypesAnswer:
        """Show a type's supertypes and subtypes.

        What a class or interface extends and implements, and what extends and implements it, as a tree.

        query: A name, Container.member, path:name, path:line:character, an id, or for find names by pattern
            (*Router).
        depth: How many levels either way.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: TypesAnswer = self._ask(
            "types",
            TypesAnswer,
            {
                "query": query,
                "depth": depth,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    def hover(
        self,
        query: str,
        *,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> HoverAnswer:
        """Show a symbol's signature and documentation.

        As an editor shows it when the mouse rests on the name: inferred types included.

        query: A name, Container.member, path:name, path:line:character, an id, or for find names by pattern
            (*Router).
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: HoverAnswer = self._ask("hover", HoverAnswer, {"query": query, "server": server}, deadline_s, budget)
        return answer

    def overview(
        self,
        folder: Path | None = None,
        *,
        limit: int = 30,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> OverviewAnswer:
        """Show what a workspace holds.

        Its packages, projects and folders with their sizes, and the exported symbols that most files import.
        FOLDER narrows it.

        folder: A folder; the whole workspace without one.
        limit: At most this many symbols and folders; 0 is all.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: OverviewAnswer = self._ask(
            "overview",
            OverviewAnswer,
            {
                "folder": folder,
                "limit": limit,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    def changed(
        self,
        rev: str = "HEAD",
        *,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> ChangedAnswer:
        """Show which symbols changed, and who uses them.

        The declarations that differ between the working tree and REV (HEAD without one, a branch's merge base
        with one), each with its uses. Files that git does not track yet count as added. No change is exit 0.

        rev: A branch, tag or commit.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: ChangedAnswer = self._ask("changed", ChangedAnswer, {"rev": rev, "server": server}, deadline_s, budget)
        return answer

    def diagnostics(
        self,
        files: Sequence[Path] | None = None,
        *,
        limit: int = 100,
        cursor: str | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> DiagnosticsAnswer:
        """Show what the compiler complains about.

        Errors and warnings of FILES, or of every file of the workspace, from the language server. Exits with 1
        when there are errors, and with 0 when there are none.

        files: Files to check.
        limit: At most this many problems; 0 is all.
        cursor: Continue an earlier answer: its `next`.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: DiagnosticsAnswer = self._ask(
            "diagnostics",
            DiagnosticsAnswer,
            {
                "files": files,
                "limit": limit,
                "cursor": cursor,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    def grep(
        self,
        pattern: str,
        paths: Sequence[Path] | None = None,
        *,
        folder: Path | None = None,
        word: bool | None = None,
        fixed: bool | None = None,
        ignore_case: bool | None = None,
        limit: int = 100,
        cursor: str | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> GrepAnswer:
        """Find text, and the symbol that holds each match.

        PATTERN is a regular expression, searched for in each line of every text file that git does not ignore;
        sources come first, then tests, then other files. For a name, cn find is exact.

        pattern: What to look for.
        paths: Files and folders to look in, or names such as *.ts.
        folder: Only in this folder, this file, or files so called (*.ts).
        word: Only where PATTERN is a word of its own.
        fixed: Take PATTERN as it stands.
        ignore_case: Take upper and lower case for the same.
        limit: At most this many matches; 0 is all.
        cursor: Continue an earlier answer: its `next`.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: GrepAnswer = self._ask(
            "grep",
            GrepAnswer,
            {
                "pattern": pattern,
                "paths": paths,
                "folder": folder,
                "word": word,
                "fixed": fixed,
                "ignoreCase": ignore_case,
                "limit": limit,
                "cursor": cursor,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    def search(
        self,
        query: str | None = None,
        queries: Sequence[str] | None = None,
        *,
        agent: str | None = None,
        top: int | None = None,
        ranking: Literal["best", "cosine", "bm25", "tfidf", "fuzzy", "tiers"] | None = None,
        include_inputs: Literal["none", "required_only", "full"] = "none",
        source: Literal["climpt", "markdown", "catalog", "mcp"] | None = None,
        vendor: str | None = None,
        fields: bool | None = None,
        max_results: int | None = None,
        cursor: str | None = None,
        suggest: bool | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Find the command that does what you want.

        QUERY is what you want done, in your words, or a command's name; further ones say the same in other
        words, and what several of them find comes first. All libraries are searched: Climpt registries,
        Markdown commands, API catalogs, tools of MCP servers that were trusted. With --agent only that Climpt
        agent, scored by cosine.

        query: What you want done.
        queries: The same in other words: give three.
        agent: Search this Climpt agent only.
        top: At most this many results.
        ranking: How results are ranked. Default: best, or cosine with --agent.
        include_inputs: Tell the inputs of each result as well.
        source: Only commands of this kind of library.
        vendor: Only commands of this vendor's catalogs.
        fields: With tfidf, read the identifiers too.
        max_results: The same as --top.
        cursor: Continue an earlier answer: its next cursor.
        suggest: Without a QUERY: by what the workspace's own files say it is made of.
        """
        return self._ask(
            "search",
            None,
            {
                "query": query,
                "queries": queries,
                "agent": agent,
                "top": top,
                "ranking": ranking,
                "include_inputs": include_inputs,
                "source": source,
                "vendor": vendor,
                "fields": fields,
                "max_results": max_results,
                "cursor": cursor,
                "suggest": suggest,
            },
            deadline_s,
            budget,
        )

    def describe(
        self,
        c1: str,
        c2: str,
        c3: str = "",
        *,
        agent: str = "climpt",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Show every command with these Climpt identifiers.

        C1, C2 and C3 are the identifiers that cn search --agent answers with. Exact matches only.

        c1: The domain.
        c2: The action.
        c3: The target; may be empty.
        agent: The Climpt agent: a registry of the configuration.
        """
        return self._ask("describe", None, {"c1": c1, "c2": c2, "c3": c3, "agent": agent}, deadline_s, budget)

    def get(
        self,
        command_id: str,
        *,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Show one command, whole.

        ID is a canonical id (climpt:climpt/git/group-commit/unstaged-changes, md:analyze_log, 'apps list') or a
        name that only one library has.

        command_id: Its canonical id, or its name when only one has it.
        """
        return self._ask("get", None, {"command_id": command_id}, deadline_s, budget)

    def commands(
        self,
        *,
        cursor: str | None = None,
        page_size: int = 50,
        source: Literal["climpt", "markdown", "catalog", "mcp"] | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """List every command.

        A page at a time, in the order of their ids; --cursor continues.

        cursor: Continue an earlier answer: its next cursor.
        page_size: Commands on a page.
        source: Only commands of this kind of library.
        """
        return self._ask(
            "commands",
            None,
            {
                "cursor": cursor,
                "page_size": page_size,
                "source": source,
            },
            deadline_s,
            budget,
        )

    def execute(
        self,
        c1: str,
        c2: str | None = None,
        c3: str | None = None,
        *,
        agent: str = "climpt",
        edition: str | None = None,
        adaptation: str | None = None,
        file: str | None = None,
        destination: str | None = None,
        options: Mapping[str, Any] | Sequence[str] | None = None,
        more: Sequence[str] | None = None,
        arg: Sequence[str] | None = None,
        dry_run: bool | None = None,
        stdin: str | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Run a Climpt command; prints its instructions as they are.

        C1, C2 and C3 are Climpt identifiers; further options of Climpt stand after --. With a canonical id
        instead, this is cn invoke. Runs in the current folder.

        c1: The domain, or a canonical id.
        c2: The action.
        c3: The target.
        agent: The Climpt agent: a registry of the configuration.
        edition: The edition of the prompt.
        adaptation: The adaptation of the prompt.
        file: The input file; - is standard input.
        destination: Where the prompt says its output goes.
        options: Options by name, or as Climpt's command line has them.
        more: Further words for the command.
        arg: An argument of the command; may be repeated.
        dry_run: Show what would be run or sent, and stop there.
        stdin: Text for its standard input.
        """
        return self._ask(
            "execute",
            None,
            {
                "c1": c1,
                "c2": c2,
                "c3": c3,
                "agent": agent,
                "edition": edition,
                "adaptation": adaptation,
                "file": file,
                "destination": destination,
                "options": options,
                "more": more,
                "arg": arg,
                "dry_run": dry_run,
                "stdin": stdin,
            },
            deadline_s,
            budget,
        )

    def invoke(
        self,
        command_id: str,
        *,
        arg: Sequence[str] | None = None,
        context: Mapping[str, Any] | None = None,
        more: Sequence[str] | None = None,
        dialect: Literal["claude", "cursor"] | None = None,
        dry_run: bool | None = None,
        stdin: str | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Invoke a command: render a prompt, call an API, or run Climpt.

        A Markdown command is rendered for you to carry out: nothing in it is run. An API command is sent;
        arguments are given with --arg. What stands after -- is the command's argument text.

        command_id: Its canonical id, or its name when only one has it.
        arg: An argument of the command; may be repeated.
        context: The arguments by name; `arguments` is the raw text.
        more: The argument text.
        dialect: How placeholders in a prompt are read.
        dry_run: Show what would be run or sent, and stop there.
        stdin: Text for its standard input.
        """
        return self._ask(
            "invoke",
            None,
            {
                "command_id": command_id,
                "arg": arg,
                "context": context,
                "more": more,
                "dialect": dialect,
                "dry_run": dry_run,
                "stdin": stdin,
            },
            deadline_s,
            budget,
        )

    def reports_search(
        self,
        query: str,
        queries: Sequence[str] | None = None,
        *,
        command: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Search past reports.

        QUERY may hold words, a phrase in quotes, and days (2025-11, latest); further ones rephrase it.

        query: What the report is about.
        queries: The same in other words: give three.
        command: Only reports of this command.
        since: Only reports of this day or later.
        until: Only reports of this day or earlier.
        limit: At most this many reports.
        cursor: Continue an earlier answer: its next cursor.
        """
        return self._ask(
            "reports search",
            None,
            {
                "query": query,
                "queries": queries,
                "command": command,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
            deadline_s,
            budget,
        )

    def reports_list(
        self,
        *,
        command: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """List reports, newest first.

        Of one command with --command, else of all.

        command: Only reports of this command.
        since: Only reports of this day or later.
        until: Only reports of this day or earlier.
        limit: At most this many reports. Default: 50.
        cursor: Continue an earlier answer: its next cursor.
        """
        return self._ask(
            "reports list",
            None,
            {
                "command": command,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
            deadline_s,
            budget,
        )

    def reports_link(
        self,
        path: str,
        *,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Give the address of a report.

        Below the setting report_link_base_url, or file://.

        path: A report, as search and list name it.
        """
        return self._ask("reports link", None, {"path": path}, deadline_s, budget)

    def reports_show(
        self,
        path: str,
        *,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Show one report, whole.

        With its date, command, size and text.

        path: A report, as search and list name it.
        """
        return self._ask("reports show", None, {"path": path}, deadline_s, budget)

    def reload(
        self,
        *,
        agent: str | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Read the libraries again.

        Changed files are seen without this; it reads everything anew. A library that cannot be read keeps what
        it had, and the answer says so.

        agent: Only this Climpt agent.
        """
        return self._ask("reload", None, {"agent": agent}, deadline_s, budget)

    def config_show(
        self,
        *,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Show the settings and where each comes from.

        Secrets are masked.
        """
        return self._ask("config show", None, {}, deadline_s, budget)

    def status(
        self,
        *,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> StatusAnswer:
        """Show the daemon and its language servers.

        Root, port, version, memory, and each language server's state. Does not start a daemon.
        """
        answer: StatusAnswer = self._ask("status", StatusAnswer, {}, deadline_s, budget)
        return answer

    def stop(
        self,
        *,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Stop the daemon of this workspace.

        Finishes what is in flight, stops the language servers and removes the state file.
        """
        return self._ask("stop", None, {}, deadline_s, budget)


class AsyncVerbs(ABC):
    @abstractmethod
    async def _ask(
        self, verb: str, kind: type[T] | None, given: Mapping[str, Any], deadline_s: float | None, budget: int | None
    ) -> Any: ...

    async def map(
        self,
        file_path: Path,
        *,
        limit: int = 0,
        cursor: str | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> MapAnswer:
        """Outline a file: every symbol with its kind and line.

        Every class, function, member and constant that FILE declares, in source order, each with an id that
        find and inspect take.

        file_path: The file, relative to the current folder or to the root.
        limit: At most this many symbols; 0 is all.
        cursor: Continue an earlier answer: its `next`.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: MapAnswer = await self._ask(
            "map",
            MapAnswer,
            {
                "filePath": file_path,
                "limit": limit,
                "cursor": cursor,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    async def find(
        self,
        query: str,
        *,
        mode: Literal["definition", "reference", "both"] = "both",
        limit: int = 200,
        cursor: str | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        explain: bool | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> FindAnswer:
        """Find a symbol's definition and its references.

        QUERY is a name (User), a member (User.rename), a name in a file (src/user.ts:User), a position
        (src/user.ts:10:14) or an id from an earlier answer. Every answer says whether it is complete. Names by
        pattern (*Router, User.get*, /get.*Path/, User|Order) are listed; a file is answered by its map, a
        folder by its overview, lines of a file (src/user.ts:10-20) by inspect.

        query: A name, Container.member, path:name, path:line:character, an id, or for find names by pattern
            (*Router).
        mode: What to look for.
        limit: At most this many references; 0 is all.
        cursor: Continue an earlier answer: its `next`.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        explain: Tell also who answered, how much and how fast.
        """
        answer: FindAnswer = await self._ask(
            "find",
            FindAnswer,
            {
                "query": query,
                "mode": mode,
                "limit": limit,
                "cursor": cursor,
                "server": server,
                "explain": explain,
            },
            deadline_s,
            budget,
        )
        return answer

    async def inspect(
        self,
        target_id: str,
        *,
        expand: Literal["block", "surround"] = "block",
        lines: int = 5,
        parts: Sequence[str] | None = None,
        without: Sequence[str] | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> InspectAnswer:
        """Show the code of a symbol or a place.

        ID comes from map or find, or is <path>#Container.member. By default the whole declaration is shown, or
        the block that encloses the place; surround shows the lines around it.

        target_id: An id from map or find, or <path>#Container.member.
        expand: How much to show.
        lines: Lines either side, for surround.
        parts: Tell also members, callers, impls or tests, or all of them; may be repeated.
        without: All parts but this; may be repeated.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: InspectAnswer = await self._ask(
            "inspect",
            InspectAnswer,
            {
                "targetId": target_id,
                "expand": expand,
                "lines": lines,
                "parts": parts,
                "without": without,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    async def refs(
        self,
        query: str,
        *,
        limit: int = 200,
        cursor: str | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> RefsAnswer:
        """List every mention of a symbol, by file.

        Each mention says what it does (call, import, declare, use) and which declaration holds it; tests come
        last.

        query: A name, Container.member, path:name, path:line:character, an id, or for find names by pattern
            (*Router).
        limit: At most this many mentions; 0 is all.
        cursor: Continue an earlier answer: its `next`.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: RefsAnswer = await self._ask(
            "refs",
            RefsAnswer,
            {
                "query": query,
                "limit": limit,
                "cursor": cursor,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    async def callers(
        self,
        query: str,
        *,
        depth: int = 1,
        limit: int = 100,
        cursor: str | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> CallersAnswer:
        """Show what calls a symbol.

        The declarations that call QUERY, in every project, and where; one that hands a function on counts.
        --depth shows their callers too.

        query: A name, Container.member, path:name, path:line:character, an id, or for find names by pattern
            (*Router).
        depth: How many levels of callers.
        limit: At most this many callers; 0 is all.
        cursor: Continue an earlier answer: its `next`.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: CallersAnswer = await self._ask(
            "callers",
            CallersAnswer,
            {
                "query": query,
                "depth": depth,
                "limit": limit,
                "cursor": cursor,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    async def callees(
        self,
        query: str,
        *,
        limit: int = 100,
        cursor: str | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> CalleesAnswer:
        """Show what a symbol calls.

        Everything that the code of QUERY calls and where it is declared; what packages and the language bring
        last.

        query: A name, Container.member, path:name, path:line:character, an id, or for find names by pattern
            (*Router).
        limit: At most this many callees; 0 is all.
        cursor: Continue an earlier answer: its `next`.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: CalleesAnswer = await self._ask(
            "callees",
            CalleesAnswer,
            {
                "query": query,
                "limit": limit,
                "cursor": cursor,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    async def impls(
        self,
        query: str,
        *,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> ImplsAnswer:
        """Show what implements a symbol.

        The classes, members and object literals that implement or override an interface, a class or a member.
        An object literal in a call, a list or a condition is listed for a member only, such as Store.save.

        query: A name, Container.member, path:name, path:line:character, an id, or for find names by pattern
            (*Router).
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: ImplsAnswer = await self._ask(
            "impls",
            ImplsAnswer,
            {
                "query": query,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    async def types(
        self,
        query: str,
        *,
        depth: int = 3,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> TypesAnswer:
        """Show a type's supertypes and subtypes.

        What a class or interface extends and implements, and what extends and implements it, as a tree.

        query: A name, Container.member, path:name, path:line:character, an id, or for find names by pattern
            (*Router).
        depth: How many levels either way.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: TypesAnswer = await self._ask(
            "types",
            TypesAnswer,
            {
                "query": query,
                "depth": depth,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    async def hover(
        self,
        query: str,
        *,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> HoverAnswer:
        """Show a symbol's signature and documentation.

        As an editor shows it when the mouse rests on the name: inferred types included.

        query: A name, Container.member, path:name, path:line:character, an id, or for find names by pattern
            (*Router).
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: HoverAnswer = await self._ask(
            "hover",
            HoverAnswer,
            {
                "query": query,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    async def overview(
        self,
        folder: Path | None = None,
        *,
        limit: int = 30,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> OverviewAnswer:
        """Show what a workspace holds.

        Its packages, projects and folders with their sizes, and the exported symbols that most files import.
        FOLDER narrows it.

        folder: A folder; the whole workspace without one.
        limit: At most this many symbols and folders; 0 is all.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: OverviewAnswer = await self._ask(
            "overview",
            OverviewAnswer,
            {
                "folder": folder,
                "limit": limit,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    async def changed(
        self,
        rev: str = "HEAD",
        *,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> ChangedAnswer:
        """Show which symbols changed, and who uses them.

        The declarations that differ between the working tree and REV (HEAD without one, a branch's merge base
        with one), each with its uses. Files that git does not track yet count as added. No change is exit 0.

        rev: A branch, tag or commit.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: ChangedAnswer = await self._ask(
            "changed",
            ChangedAnswer,
            {
                "rev": rev,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    async def diagnostics(
        self,
        files: Sequence[Path] | None = None,
        *,
        limit: int = 100,
        cursor: str | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> DiagnosticsAnswer:
        """Show what the compiler complains about.

        Errors and warnings of FILES, or of every file of the workspace, from the language server. Exits with 1
        when there are errors, and with 0 when there are none.

        files: Files to check.
        limit: At most this many problems; 0 is all.
        cursor: Continue an earlier answer: its `next`.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: DiagnosticsAnswer = await self._ask(
            "diagnostics",
            DiagnosticsAnswer,
            {
                "files": files,
                "limit": limit,
                "cursor": cursor,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    async def grep(
        self,
        pattern: str,
        paths: Sequence[Path] | None = None,
        *,
        folder: Path | None = None,
        word: bool | None = None,
        fixed: bool | None = None,
        ignore_case: bool | None = None,
        limit: int = 100,
        cursor: str | None = None,
        server: Literal["auto", "typescript", "native"] = "auto",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> GrepAnswer:
        """Find text, and the symbol that holds each match.

        PATTERN is a regular expression, searched for in each line of every text file that git does not ignore;
        sources come first, then tests, then other files. For a name, cn find is exact.

        pattern: What to look for.
        paths: Files and folders to look in, or names such as *.ts.
        folder: Only in this folder, this file, or files so called (*.ts).
        word: Only where PATTERN is a word of its own.
        fixed: Take PATTERN as it stands.
        ignore_case: Take upper and lower case for the same.
        limit: At most this many matches; 0 is all.
        cursor: Continue an earlier answer: its `next`.
        server: Which TypeScript server answers hover and diagnostics: the one that fits the workspace, or one
            of the two.
        """
        answer: GrepAnswer = await self._ask(
            "grep",
            GrepAnswer,
            {
                "pattern": pattern,
                "paths": paths,
                "folder": folder,
                "word": word,
                "fixed": fixed,
                "ignoreCase": ignore_case,
                "limit": limit,
                "cursor": cursor,
                "server": server,
            },
            deadline_s,
            budget,
        )
        return answer

    async def search(
        self,
        query: str | None = None,
        queries: Sequence[str] | None = None,
        *,
        agent: str | None = None,
        top: int | None = None,
        ranking: Literal["best", "cosine", "bm25", "tfidf", "fuzzy", "tiers"] | None = None,
        include_inputs: Literal["none", "required_only", "full"] = "none",
        source: Literal["climpt", "markdown", "catalog", "mcp"] | None = None,
        vendor: str | None = None,
        fields: bool | None = None,
        max_results: int | None = None,
        cursor: str | None = None,
        suggest: bool | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Find the command that does what you want.

        QUERY is what you want done, in your words, or a command's name; further ones say the same in other
        words, and what several of them find comes first. All libraries are searched: Climpt registries,
        Markdown commands, API catalogs, tools of MCP servers that were trusted. With --agent only that Climpt
        agent, scored by cosine.

        query: What you want done.
        queries: The same in other words: give three.
        agent: Search this Climpt agent only.
        top: At most this many results.
        ranking: How results are ranked. Default: best, or cosine with --agent.
        include_inputs: Tell the inputs of each result as well.
        source: Only commands of this kind of library.
        vendor: Only commands of this vendor's catalogs.
        fields: With tfidf, read the identifiers too.
        max_results: The same as --top.
        cursor: Continue an earlier answer: its next cursor.
        suggest: Without a QUERY: by what the workspace's own files say it is made of.
        """
        return await self._ask(
            "search",
            None,
            {
                "query": query,
                "queries": queries,
                "agent": agent,
                "top": top,
                "ranking": ranking,
                "include_inputs": include_inputs,
                "source": source,
                "vendor": vendor,
                "fields": fields,
                "max_results": max_results,
                "cursor": cursor,
                "suggest": suggest,
            },
            deadline_s,
            budget,
        )

    async def describe(
        self,
        c1: str,
        c2: str,
        c3: str = "",
        *,
        agent: str = "climpt",
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Show every command with these Climpt identifiers.

        C1, C2 and C3 are the identifiers that cn search --agent answers with. Exact matches only.

        c1: The domain.
        c2: The action.
        c3: The target; may be empty.
        agent: The Climpt agent: a registry of the configuration.
        """
        return await self._ask("describe", None, {"c1": c1, "c2": c2, "c3": c3, "agent": agent}, deadline_s, budget)

    async def get(
        self,
        command_id: str,
        *,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Show one command, whole.

        ID is a canonical id (climpt:climpt/git/group-commit/unstaged-changes, md:analyze_log, 'apps list') or a
        name that only one library has.

        command_id: Its canonical id, or its name when only one has it.
        """
        return await self._ask("get", None, {"command_id": command_id}, deadline_s, budget)

    async def commands(
        self,
        *,
        cursor: str | None = None,
        page_size: int = 50,
        source: Literal["climpt", "markdown", "catalog", "mcp"] | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """List every command.

        A page at a time, in the order of their ids; --cursor continues.

        cursor: Continue an earlier answer: its next cursor.
        page_size: Commands on a page.
        source: Only commands of this kind of library.
        """
        return await self._ask(
            "commands",
            None,
            {
                "cursor": cursor,
                "page_size": page_size,
                "source": source,
            },
            deadline_s,
            budget,
        )

    async def execute(
        self,
        c1: str,
        c2: str | None = None,
        c3: str | None = None,
        *,
        agent: str = "climpt",
        edition: str | None = None,
        adaptation: str | None = None,
        file: str | None = None,
        destination: str | None = None,
        options: Mapping[str, Any] | Sequence[str] | None = None,
        more: Sequence[str] | None = None,
        arg: Sequence[str] | None = None,
        dry_run: bool | None = None,
        stdin: str | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Run a Climpt command; prints its instructions as they are.

        C1, C2 and C3 are Climpt identifiers; further options of Climpt stand after --. With a canonical id
        instead, this is cn invoke. Runs in the current folder.

        c1: The domain, or a canonical id.
        c2: The action.
        c3: The target.
        agent: The Climpt agent: a registry of the configuration.
        edition: The edition of the prompt.
        adaptation: The adaptation of the prompt.
        file: The input file; - is standard input.
        destination: Where the prompt says its output goes.
        options: Options by name, or as Climpt's command line has them.
        more: Further words for the command.
        arg: An argument of the command; may be repeated.
        dry_run: Show what would be run or sent, and stop there.
        stdin: Text for its standard input.
        """
        return await self._ask(
            "execute",
            None,
            {
                "c1": c1,
                "c2": c2,
                "c3": c3,
                "agent": agent,
                "edition": edition,
                "adaptation": adaptation,
                "file": file,
                "destination": destination,
                "options": options,
                "more": more,
                "arg": arg,
                "dry_run": dry_run,
                "stdin": stdin,
            },
            deadline_s,
            budget,
        )

    async def invoke(
        self,
        command_id: str,
        *,
        arg: Sequence[str] | None = None,
        context: Mapping[str, Any] | None = None,
        more: Sequence[str] | None = None,
        dialect: Literal["claude", "cursor"] | None = None,
        dry_run: bool | None = None,
        stdin: str | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Invoke a command: render a prompt, call an API, or run Climpt.

        A Markdown command is rendered for you to carry out: nothing in it is run. An API command is sent;
        arguments are given with --arg. What stands after -- is the command's argument text.

        command_id: Its canonical id, or its name when only one has it.
        arg: An argument of the command; may be repeated.
        context: The arguments by name; `arguments` is the raw text.
        more: The argument text.
        dialect: How placeholders in a prompt are read.
        dry_run: Show what would be run or sent, and stop there.
        stdin: Text for its standard input.
        """
        return await self._ask(
            "invoke",
            None,
            {
                "command_id": command_id,
                "arg": arg,
                "context": context,
                "more": more,
                "dialect": dialect,
                "dry_run": dry_run,
                "stdin": stdin,
            },
            deadline_s,
            budget,
        )

    async def reports_search(
        self,
        query: str,
        queries: Sequence[str] | None = None,
        *,
        command: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Search past reports.

        QUERY may hold words, a phrase in quotes, and days (2025-11, latest); further ones rephrase it.

        query: What the report is about.
        queries: The same in other words: give three.
        command: Only reports of this command.
        since: Only reports of this day or later.
        until: Only reports of this day or earlier.
        limit: At most this many reports.
        cursor: Continue an earlier answer: its next cursor.
        """
        return await self._ask(
            "reports search",
            None,
            {
                "query": query,
                "queries": queries,
                "command": command,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
            deadline_s,
            budget,
        )

    async def reports_list(
        self,
        *,
        command: str | None = None,
        since: str | None = None,
        until: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """List reports, newest first.

        Of one command with --command, else of all.

        command: Only reports of this command.
        since: Only reports of this day or later.
        until: Only reports of this day or earlier.
        limit: At most this many reports. Default: 50.
        cursor: Continue an earlier answer: its next cursor.
        """
        return await self._ask(
            "reports list",
            None,
            {
                "command": command,
                "since": since,
                "until": until,
                "limit": limit,
                "cursor": cursor,
            },
            deadline_s,
            budget,
        )

    async def reports_link(
        self,
        path: str,
        *,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Give the address of a report.

        Below the setting report_link_base_url, or file://.

        path: A report, as search and list name it.
        """
        return await self._ask("reports link", None, {"path": path}, deadline_s, budget)

    async def reports_show(
        self,
        path: str,
        *,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Show one report, whole.

        With its date, command, size and text.

        path: A report, as search and list name it.
        """
        return await self._ask("reports show", None, {"path": path}, deadline_s, budget)

    async def reload(
        self,
        *,
        agent: str | None = None,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Read the libraries again.

        Changed files are seen without this; it reads everything anew. A library that cannot be read keeps what
        it had, and the answer says so.

        agent: Only this Climpt agent.
        """
        return await self._ask("reload", None, {"agent": agent}, deadline_s, budget)

    async def config_show(
        self,
        *,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Show the settings and where each comes from.

        Secrets are masked.
        """
        return await self._ask("config show", None, {}, deadline_s, budget)

    async def status(
        self,
        *,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> StatusAnswer:
        """Show the daemon and its language servers.

        Root, port, version, memory, and each language server's state. Does not start a daemon.
        """
        answer: StatusAnswer = await self._ask("status", StatusAnswer, {}, deadline_s, budget)
        return answer

    async def stop(
        self,
        *,
        deadline_s: float | None = None,
        budget: int | None = None,
    ) -> Any:
        """Stop the daemon of this workspace.

        Finishes what is in flight, stops the language servers and removes the state file.
        """
        return await self._ask("stop", None, {}, deadline_s, budget)
