"""The one place that builds adapters.

`services` is what the doors see. It imports little: what questions need is imported when the first one is asked, or
when nothing else is to do.
"""

from cn_daemon.bootstrap.services import Services

__all__ = ["Services"]
