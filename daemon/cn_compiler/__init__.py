"""JavaScript that runs beside the daemon, in Node.js: see `bindings/worker.mjs`."""
