"""The MCP door. Nothing here imports the SDK (0.6 s, 20 MB) before a client asks: see `door`."""
