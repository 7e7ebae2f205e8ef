"""How a workspace gets its language server: a Node.js, a typescript-language-server and a tsserver that fit.

    toolchain = await provision(root, settings, print)
    [toolchain.node, toolchain.server, "--stdio"]  # initializationOptions.tsserver.path: toolchain.tsserver

What is there already is taken as it is when it lies in the tested range (`versions.py`); what is missing is
installed once, at a pinned version with its hash, into the user's cache. Nothing is written in the workspace.
"""

from cn_daemon.adapters.language_servers.provisioning.native import NativeToolchain, has_native, provision_native
from cn_daemon.adapters.language_servers.provisioning.toolchain import Toolchain, provision

__all__ = ["NativeToolchain", "Toolchain", "has_native", "provision", "provision_native"]
