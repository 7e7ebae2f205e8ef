"""How a workspace gets its language server: a Node.js, a typescript-language-server and a tsserver that fit.

    toolchain = await provision(root, settings, print)
    [toolchain.node, toolchain.server, "--stdio"]  # initializationOptions.tsserver.path: toolchain.tsserver

Nothing of the workspace is run: it says which version of TypeScript it wants (`wanted.py`), and that comes from the
registry, once, into the user's cache, as everything does that is missing. Nothing is written in the workspace.
"""

from cn_daemon.adapters.language_servers.provisioning.native import NativeToolchain, has_native
from cn_daemon.adapters.language_servers.provisioning.toolchain import (
    Provisioning,
    Toolchain,
    provision,
    provision_native,
)

__all__ = ["NativeToolchain", "Provisioning", "Toolchain", "has_native", "provision", "provision_native"]
