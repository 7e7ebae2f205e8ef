"""A Python workspace: `manifests` reads what its files say of folders that modules are imported from, `roots` gathers
these, `environment` is where its dependencies are installed."""
