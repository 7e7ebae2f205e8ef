"""An API command and its arguments, as a request: checked against the catalog, nothing sent."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlencode, urlsplit

from cn_daemon.domain.libraries.commands import Argument, Command
from cn_daemon.domain.libraries.openapi_styles import query_of, simple, text_of
from cn_daemon.domain.libraries.refusal import RefusalError

# Whose value would change where a request goes, how it is framed, for whom a proxy takes its sender, or as whom it is
# sent: these come from the user's settings alone.
_RESERVED = frozenset(
    {
        "authorization", "connection", "content-length", "cookie", "cookie2", "expect", "forwarded", "front-end-https",
        "host", "http2-settings", "keep-alive", "origin", "referer", "te", "trailer", "transfer-encoding",
        "true-client-ip", "upgrade", "via",
    }
)  # fmt: skip
_RESERVED_BEGINNINGS = (
    "cf-", "fastly-", "proxy-", "sec-", "x-client-", "x-cluster-", "x-envoy-", "x-forwarded", "x-host", "x-http-",
    "x-method-", "x-original-", "x-proxy", "x-real-", "x-remote-", "x-rewrite-",
)  # fmt: skip
# What a catalog itself may say in a header: how the answer is wanted. All else it could say would be somebody's
# identity: of that, names are known to nobody. (`anthropic-version` and its like end in "version".)
_OF_CATALOGS = frozenset({"accept", "accept-charset", "accept-language", "content-language", "prefer", "range"})
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_IN_PATH = re.compile(r"\{([^{}/]+)\}")
_FORM = "application/x-www-form-urlencoded"
_MULTIPART = "multipart/form-data"
_CHANGES = frozenset({"PATCH", "PUT"})
_BODYLESS = frozenset({"GET", "HEAD", "DELETE"})


class HttpRequest(NamedTuple):
    """headers: by their name in lower case. body: None when there is none. shown: the body as a document."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes | None = None
    shown: Any = None


def request_of(command: Command, values: Mapping[str, Any], base_url: str) -> HttpRequest:
    """The request that `values`, by argument name, make. Raises RefusalError.

    Strings are read as the argument's type: they may come from a command line. base_url: where it goes.
    """
    call = command.http
    assert call is not None
    filled = _filled(command, values)
    parts: dict[str, list[tuple[Argument, Any]]] = {
        place: [] for place in ("path", "query", "header", "cookie", "body")
    }
    for argument, value in filled:
        parts[_place(argument, call.method, call.path)].append((argument, value))
    url = base_url.rstrip("/") + _path(call.path, parts["path"])
    query = [pair for argument, value in parts["query"] for pair in query_of(argument, value)]
    if query:
        url += ("&" if urlsplit(url).query else "?") + "&".join(query)
    headers = {name.lower(): value for name, value in call.headers if _is_a_catalogs(name)}
    headers |= {"accept": "application/json, */*;q=0.5"} if "accept" not in headers else {}
    headers |= dict(_header(argument, value) for argument, value in parts["header"])
    if parts["cookie"]:
        headers["cookie"] = "; ".join(
            f"{item.name}={quote(simple(item, value), safe='')}" for item, value in parts["cookie"]
        )
    if not parts["body"]:
        return HttpRequest(call.method, url, headers)
    shown = _body(parts["body"], call.body_type)
    body_type, body = _encoded(shown, call.body_type)
    headers["content-type"] = body_type
    return HttpRequest(call.method, url, headers, body, shown)


def merged(request: HttpRequest, headers: Mapping[str, str]) -> HttpRequest:
    """The request with the headers of the settings, which outrank its own. Raises RefusalError."""
    for name, value in headers.items():
        _checked(name, value)
    return request._replace(headers={**request.headers, **{name.lower(): value for name, value in headers.items()}})


def _filled(command: Command, values: Mapping[str, Any]) -> list[tuple[Argument, Any]]:
    assert command.http is not None
    known = {item.name: item for item in (*command.positional_args, *command.flags)}
    for name in _IN_PATH.findall(command.http.path):  # some documents forget to declare them
        known.setdefault(name, Argument(name, required=True, place="path"))
    for name in values:
        if name not in known:
            near = difflib.get_close_matches(name, known, 3, 0.5)
            hint = f"Did you mean {' or '.join(near)}?" if near else f"It takes {', '.join(known) or 'none'}."
            raise RefusalError(
                "unknown_argument", f"{command.canonical_id} has no argument {name!r}.", hint, argument=name, near=near
            )
    filled = []
    missing = []
    for item in known.values():
        value = values.get(item.name, _default(item, command.http.method, command.http.path))
        if value is None:
            if item.required or item in command.positional_args or f"{{{item.name}}}" in command.http.path:
                missing.append(item.name)
            continue
        filled.append((item, typed(item, value)))
    if missing:
        raise RefusalError(
            "missing_argument",
            f"{command.canonical_id} needs {', '.join(missing)}.",
            "Give them with " + " ".join(f"--arg {name}=…" for name in missing),
            missing=missing,
        )
    return filled


def _default(item: Argument, method: str, path: str) -> str | None:
    """What is sent when the caller says nothing. By OpenAPI a default is what the API itself takes an absent value for,
    so that nothing is lost where it is not sent; a change (PATCH, PUT) would set what nobody wanted to change."""
    if item.place == "cookie" or (item.place == "header" and not _is_a_catalogs(item.name)):
        return None
    if method.upper() in _CHANGES and _place(item, method, path) == "body" and not item.required:
        return None
    return item.default


def is_reserved(name: str) -> bool:
    """Whether a header is the settings' alone."""
    name = name.lower()
    return name in _RESERVED or name.startswith(_RESERVED_BEGINNINGS)


def _is_a_catalogs(name: str) -> bool:
    name = name.lower()
    return name in _OF_CATALOGS or (name.endswith("version") and not is_reserved(name))


def typed(item: Argument, value: Any) -> Any:
    """The value as its type has it; what a command line brings is a string."""
    if item.kind == "file":
        raise RefusalError(
            "file_upload",
            f"{item.name} is a file, and cn sends no files.",
            "What the workspace holds stays on this machine. Leave it out, or upload it with another program.",
            argument=item.name,
        )
    if isinstance(value, str) and item.kind in ("integer", "number", "boolean", "array", "object"):
        value = _read(item, value)
    kinds: dict[str, tuple[type, ...]] = {
        "integer": (int,),
        "number": (int, float),
        "boolean": (bool,),
        "array": (list,),
        "object": (dict,),
        "string": (str, int, float, bool),
    }
    fits = isinstance(value, kinds.get(item.kind, (object,)))
    if not fits or (isinstance(value, bool) and item.kind in ("integer", "number")):
        raise _unfit(item, f"must be of type {item.kind}")
    choices = item.choices if item.kind != "array" else ()
    if choices and text_of(value) not in choices:
        raise _unfit(item, f"must be one of {', '.join(choices)}")
    return value


def _read(item: Argument, text: str) -> Any:
    try:
        return json.loads(text.lower() if item.kind == "boolean" else text)
    except (ValueError, RecursionError):
        if item.kind == "array":
            return text.split(",")
        raise _unfit(item, f"must be of type {item.kind}") from None


def _unfit(item: Argument, sentence: str) -> RefusalError:
    return RefusalError("bad_argument", f"{item.name} {sentence}.", item.help, argument=item.name)


def _place(item: Argument, method: str, path: str) -> str:
    if f"{{{item.name}}}" in path:
        return "path"
    return item.place or ("query" if method.upper() in _BODYLESS else "body")


def _path(template: str, values: Sequence[tuple[Argument, Any]]) -> str:
    by_name = {item.name: (item, value) for item, value in values}

    def fill(match: re.Match[str]) -> str:
        item, value = by_name[match[1]]
        text = simple(item, value)
        if text == "" or _strays(text):  # would name another path than the command's
            raise _unfit(item, f"must not be {text!r}")
        if item.style == "label":
            return "." + quote(text, safe="")
        if item.style == "matrix":
            return f";{quote(item.name, safe='')}={quote(text, safe='')}"
        return quote(text, safe="")

    filled = _IN_PATH.sub(fill, template)
    # A catalog says what is asked below the base URL of the settings, never beside it.
    fixed = _IN_PATH.sub("x", template).partition("?")[0]
    if _strays(fixed) or "//" in _decoded(fixed) or "#" in template:
        raise RefusalError("bad_path", f"The path {template!r} of the catalog leads out of its base URL.")
    return filled if filled.startswith("/") else "/" + filled


def _strays(path: str) -> bool:
    """Whether somebody on the way, who decodes once more than they should, would read another path."""
    plain = _decoded(path)
    # What follows a semicolon are a segment's parameters, which some servers take off first.
    segments = (segment.partition(";")[0].strip() for segment in re.split(r"[/\\]", plain))
    return "\\" in plain or not plain.isprintable() or any(segment in (".", "..") for segment in segments)


def _decoded(text: str) -> str:
    """Without any %-escapes, also those of escapes."""
    while (plain := unquote(text)) != text:
        text = plain
    return text


def _pairs(name: str, value: Any) -> list[tuple[str, str]]:
    if isinstance(value, list):
        return [(name, text_of(item)) for item in value]
    return [(name, text_of(value))]


def _header(item: Argument, value: Any) -> tuple[str, str]:
    text = simple(item, value)
    if is_reserved(item.name):
        raise RefusalError(
            "reserved_header",
            f"The header {item.name} is not taken from arguments.",
            "Set it in catalog_headers, in the user's config.json or in CN_CATALOG_HEADERS.",
            argument=item.name,
        )
    _checked(item.name, text)
    return item.name.lower(), text


def _checked(name: str, value: str) -> None:
    if not _HEADER_NAME.fullmatch(name) or any(not " " <= letter <= "~" for letter in value):
        raise RefusalError(
            "bad_header", f"The header {name!r} or its value is not one line of plain ASCII.", header=name
        )


def _body(values: Sequence[tuple[Argument, Any]], body_type: str) -> Any:
    """The fields as one object; a single argument named body is the whole."""
    if len(values) == 1 and values[0][0].name == "body":
        value = values[0][1]
        if body_type.startswith("text/"):
            return text_of(value)
        try:
            return json.loads(value) if isinstance(value, str) else value
        except ValueError:
            return value
    return {item.name: value for item, value in values}


def _encoded(body: Any, body_type: str) -> tuple[str, bytes]:
    """The body's type, as the header tells it, and its bytes."""
    kind = body_type.partition(";")[0].strip().lower()
    if kind == _FORM and isinstance(body, dict):
        return body_type, urlencode([pair for name, value in body.items() for pair in _pairs(name, value)]).encode()
    if kind == _MULTIPART and isinstance(body, dict):
        return _multipart([pair for name, value in body.items() for pair in _pairs(name, value)])
    if kind.startswith("text/") or (isinstance(body, str) and not kind.endswith("json")):
        return body_type, text_of(body).encode()
    if kind != "application/json" and not kind.endswith("+json"):
        raise RefusalError("body_type", f"A body of type {kind} cannot be made.", "JSON, forms and text can.")
    return body_type, json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _multipart(pairs: Sequence[tuple[str, str]]) -> tuple[str, bytes]:
    """The fields of a form as parts (RFC 7578). The line between them hangs on their text, so that none holds it."""
    boundary = "cn-" + hashlib.sha256(json.dumps(pairs).encode()).hexdigest()[:32]
    parts = "".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{_field_name(name)}"\r\n\r\n{value}\r\n'
        for name, value in pairs
    )
    return f"{_MULTIPART}; boundary={boundary}", f"{parts}--{boundary}--\r\n".encode()


def _field_name(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
