"""What answers from the syntax of TypeScript and JavaScript: `bindings`, a process of `daemon/cn_compiler`."""
