"""Send an API command, to where the settings say.

A catalog is somebody's file: it says what can be asked, never where that goes or as whom.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

from cn_daemon.application.libraries.library_ports import HttpCaller, HttpResponse
from cn_daemon.application.plain_answer import PlainAnswer
from cn_daemon.application.ports import Call
from cn_daemon.domain.libraries import http_requests
from cn_daemon.domain.libraries.commands import Command
from cn_daemon.settings import Settings
from cn_shared.errors import ExecutionError, InputError

MASK = "***"
# Of an answer's headers only what tells how to read it, where to go on, and how much one may ask.
_REPORTED = ("content-type", "content-range", "etag", "link", "location", "next-range", "retry-after")


class ApiCalls:
    def __init__(self, caller: HttpCaller, settings: Callable[[], Settings]) -> None:
        self._caller = caller
        self._settings = settings

    async def send(
        self,
        call: Call,
        command: Command,
        values: Mapping[str, Any],
        words: Sequence[str],
        stdin: str,
        *,
        dry_run: bool,
    ) -> PlainAnswer:
        """`{"status", "headers", "body", "truncated"?}`; dry_run: `{"method", "url", "headers", "body"}`.

        words: the positional arguments, in order. stdin: a JSON object of further arguments.
        Raises InputError, ForbiddenError, ExecutionError (`http_status` with the body, `unreachable`), DeadlineError.
        """
        given = {**_object(stdin), **_positional(command, words), **values}
        headers = _of_catalog(self._settings().catalog_headers, command) or {}
        request = http_requests.request_of(command, given, self._base_url(command, dry_run))
        request = http_requests.merged(request, headers)
        if dry_run:
            secret = {name.lower() for name in headers}
            shown = {name: MASK if name in secret else value for name, value in request.headers.items()}
            return PlainAnswer(
                {"method": request.method, "url": _open(request.url), "headers": shown, "body": request.shown}
            )
        response = await self._caller.send(request, call.deadline)
        body = _body(response)
        if not 200 <= response.status < 300:
            raise _refused(command, response, body)
        document = {"status": response.status, "headers": _reported_headers(response.headers), "body": body}
        return PlainAnswer({**document, "truncated": True} if response.truncated else document)

    def _base_url(self, command: Command, dry_run: bool) -> str:
        assert command.http is not None
        chosen = _of_catalog(self._settings().catalog_base_urls, command)
        if chosen is None and dry_run and command.http.base_urls:
            chosen = command.http.base_urls[0]  # nothing is sent
        if chosen is None:
            key = next(_names(command))
            url = next(iter(command.http.base_urls), "https://…")
            raise InputError(
                "no_base_url",
                f"Nobody said where commands of {key} are sent.",
                f'A catalog alone may not. In the user\'s config.json: "catalog_base_urls": {{{json.dumps(key)}: '
                f"{json.dumps(url)}}}; or CN_CATALOG_BASE_URLS.",
            )
        parts = urlsplit(chosen)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise InputError("bad_base_url", "The base URL must be http(s)://host/path.", "See catalog_base_urls.")
        return str(chosen)


def _of_catalog(table: Mapping[str, Any], command: Command) -> Any:
    by_name = {name.lower(): value for name, value in table.items()}
    return next((by_name[name.lower()] for name in _names(command) if name.lower() in by_name), None)


def _names(command: Command) -> Iterator[str]:
    """What a catalog may be called in the settings, best first."""
    if command.catalog:
        yield from filter(None, (command.catalog.vendor, command.catalog.title))
    if command.path:
        yield PurePath(command.path).stem
    yield command.canonical_id.partition(" ")[0]


def _positional(command: Command, words: Sequence[str]) -> dict[str, str]:
    if len(words) > len(command.positional_args):
        raise InputError(
            "unknown_argument",
            f"{command.canonical_id} takes {len(command.positional_args)} positional arguments, not {len(words)}.",
            "Name the others with --arg.",
        )
    return {item.name: word for item, word in zip(command.positional_args, words, strict=False)}


def _object(stdin: str) -> dict[str, Any]:
    if not stdin.strip():
        return {}
    try:
        value = json.loads(stdin)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InputError("bad_stdin", "Standard input must be a JSON object of arguments.", "Or </dev/null.")
    return value


def _body(response: HttpResponse) -> Any:
    text = response.body.decode("utf-8", "replace")
    if "json" in response.headers.get("content-type", "") and not response.truncated:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            pass
    return text


def _reported_headers(headers: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in headers.items()
        if name in _REPORTED or name.startswith(("ratelimit", "x-ratelimit"))
    }


def _refused(command: Command, response: HttpResponse, body: Any) -> ExecutionError:
    where = response.headers.get("location")
    if 300 <= response.status < 400 and where:
        message = f"{command.canonical_id} was redirected elsewhere ({response.status}); that is not followed."
        return ExecutionError("redirected", message, "Set the base URL to where it moved.", status=response.status,
                              location=_open(where))  # fmt: skip
    hint = {401: "Set its Authorization in catalog_headers.", 403: "Look at its headers in catalog_headers."}
    return ExecutionError(
        "http_status",
        f"{command.canonical_id} was answered {response.status}.",
        hint.get(response.status, ""),
        status=response.status,
        body=body,
        **({"truncated": True} if response.truncated else {}),
    )


def _open(url: str) -> str:
    """The address without a password in it."""
    parts = urlsplit(url)
    place = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{MASK}@{place[2]}").geturl() if place[1] else url
