"""cn for Python programs: every verb as a method, with typed answers. docs/sdk.md shows how.

    from cn_client.sdk import Client

    with Client() as cn:
        found = cn.find("User")

What goes wrong is raised as the errors of `cn_shared.errors`, which are here too.
"""

from cn_client.sdk.clients import AsyncClient, Client
from cn_shared.errors import (
    CnError,
    DeadlineError,
    ExecutionError,
    ForbiddenError,
    InputError,
    InternalError,
    LanguageServerError,
    NoDaemonError,
    NotFoundError,
    UnauthorizedError,
)

__all__ = [
    "AsyncClient",
    "Client",
    "CnError",
    "DeadlineError",
    "ExecutionError",
    "ForbiddenError",
    "InputError",
    "InternalError",
    "LanguageServerError",
    "NoDaemonError",
    "NotFoundError",
    "UnauthorizedError",
]
