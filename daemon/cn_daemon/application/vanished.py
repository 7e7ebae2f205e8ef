"""A workspace that was removed while its daemon runs: nothing that is found there any more is no answer."""

from __future__ import annotations

import functools
import os
from typing import Any

from cn_daemon.application.ports import Answer, Call, Handler
from cn_shared.errors import NotFoundError


def noticed(handler: Handler, root: str) -> Handler:
    """The use case, which raises NotFoundError (`root_gone`) rather than answer that nothing was found."""

    @functools.wraps(handler)
    async def answer(call: Call, **parameters: Any) -> Answer:
        answered = await handler(call, **parameters)
        if answered.outcome() == "empty" and not os.path.isdir(root):
            message = f"The workspace {root} is not there any more."
            raise NotFoundError("root_gone", message, "Name another with --root, or go to one.")
        return answered

    return answer
