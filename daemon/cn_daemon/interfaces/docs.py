"""The page at /docs: Swagger UI, from a package and not from a CDN, under a strict policy."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cn_daemon.interfaces.replies import plain_reply

_ASSETS = {
    "swagger-ui-bundle.js": "text/javascript",
    "swagger-ui.css": "text/css",
    "favicon-32x32.png": "image/png",
}
PATHS = ("/docs", "/docs/start.js", *(f"/docs/{name}" for name in _ASSETS))

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>cn</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="page"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
"""
# The token is not kept (persistAuthorization): it changes with every start of the daemon.
_START = """SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#page",
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
"""


def add(app: FastAPI) -> None:
    """The page, what it loads, and the document that it shows: no data, so none of them needs the token."""

    async def page(request: Request) -> Response:
        headers = {"Content-Security-Policy": _POLICY, "Referrer-Policy": "no-referrer", "Cn-Exit": "0"}
        return Response(_PAGE, headers=headers, media_type="text/html")

    async def start(request: Request) -> Response:
        return Response(_START, headers={"Cn-Exit": "0"}, media_type="text/javascript")

    async def asset(request: Request) -> Response:
        name = request.url.path.removeprefix("/docs/")
        return Response(_folder().joinpath(name).read_bytes(), headers={"Cn-Exit": "0"}, media_type=_ASSETS[name])

    async def document(request: Request) -> Response:
        return plain_reply(app.openapi())

    app.router.routes.extend(
        [
            Route("/docs", page, include_in_schema=False),
            Route("/docs/start.js", start, include_in_schema=False),
            *(Route(f"/docs/{name}", asset, include_in_schema=False) for name in _ASSETS),
            Route("/openapi.json", document, include_in_schema=False),
        ]
    )


def _folder() -> Path:
    # Located, not imported: only its files are wanted.
    spec = find_spec("fastapi_swagger")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "resources"
