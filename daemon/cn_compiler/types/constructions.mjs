// Who constructs a class: by its name, by `super()`, and by the name of a class that has no constructor of its own. The
// compiler's own search follows imports through all files at once.

/**
 * @typedef {import("typescript").Node} Node
 * @typedef {import("./goals.mjs").Place} Place
 */

/**
 * @param {typeof import("typescript")} ts
 * @param {import("typescript").Program} program
 * @param {{ declared: Place[], files: Iterable<string>, all: Iterable<string>, isLate?: () => boolean }} question declared: constructors of the
 * class; all: with the files of other programs, through which imports of these may lead
 * @returns {{ uses: Node[], heirs: Node[], unread: string[] }} heirs: what names a class that is constructed as the class is; unread:
 * files that were not looked through
 */
export function constructions(ts, program, { declared, files, all, isLate = () => false }) {
  /** @type {any} */
  const internal = ts;
  const checker = program.getTypeChecker();
  const sources = /** @type {import("typescript").SourceFile[]} */ ([...all].map((path) => program.getSourceFile(path)).filter(Boolean));
  const own = new Set(files);
  const isOwn = (/** @type {Node} */ node) => own.has(node.getSourceFile().fileName);
  const cancel = () => {
    throw new ts.OperationCanceledException();
  };
  const token = { isCancellationRequested: isLate, throwIfCancellationRequested: () => void (isLate() && cancel()) };
  /** @type {Set<Node>} */
  const uses = new Set();
  /** Their declarations: of a class that a script exports whole, beside types, the compiler makes a copy. @type {Set<Node>} */
  const classes = new Set();
  try {
    for (const { file, start } of declared) {
      const source = program.getSourceFile(file);
      if (!source) continue;
      const node = internal.getTouchingPropertyName(source, start);
      for (const { references } of internal.FindAllReferences.Core.getReferencedSymbolsForNode(start, node, program, sources, token, { use: 1 }) ?? []) {
        for (const { node } of references) if (node && node.kind !== ts.SyntaxKind.ConstructorKeyword) uses.add(node);
      }
      const holder = ts.findAncestor(node, ts.isClassLike);
      if (holder) classes.add(holder);
    }
    for (const source of sources) if (isOwn(source)) visit(source);
    return { uses: [...uses].filter(isOwn), heirs: heirs().filter(isOwn), unread: [...files].filter((path) => !program.getSourceFile(path)) };
  } catch (error) {
    if (!isLate()) throw error;
    return { uses: [...uses].filter(isOwn), heirs: [], unread: [...files] };
  }

  /** What the compiler's search does not know: who constructs such a copy, or a class that is the value of a constant. */
  function visit(/** @type {Node} */ node) {
    if (ts.isNewExpression(node)) {
      const name = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
      if (isConstructed(meant(name))) uses.add(name);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) {
      const holder = ts.findAncestor(node, ts.isClassLike);
      if (holder && isConstructed(base(holder))) uses.add(node.expression);
    }
    ts.forEachChild(node, visit);
  }
  function isConstructed(/** @type {import("typescript").Symbol | undefined} */ symbol) {
    const declaration = symbol?.valueDeclaration;
    return declaration !== undefined && (classes.has(declaration) || (ts.isClassLike(declaration) && !declaration.members.some(ts.isConstructorDeclaration) && isHeir(declaration)));
  }
  function heirs() {
    /** @type {Node[]} */
    const found = [];
    const visit = (/** @type {Node} */ node) => {
      if (ts.isClassLike(node) && !node.members.some(ts.isConstructorDeclaration) && isHeir(node)) {
        const name = node.name ?? node.modifiers?.find(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? assigned(node);
        if (name) found.push(name);
      }
      ts.forEachChild(node, visit);
    };
    for (const source of sources) if (source.text.includes("extends")) visit(source);
    return found;
  }
  /** Of `const A = class {}`: its name. */
  function assigned(/** @type {import("typescript").ClassLikeDeclaration} */ { parent }) {
    return ts.isVariableDeclaration(parent) ? parent.name : undefined;
  }
  /** Whether a class has the constructor of one of the classes. */
  function isHeir(/** @type {import("typescript").ClassLikeDeclaration} */ node) {
    for (let one = base(node), far = 0; one && far < 50; far++) {
      const declaration = one.valueDeclaration;
      if (declaration && classes.has(declaration)) return true;
      if (!declaration || !ts.isClassLike(declaration) || declaration.members.some(ts.isConstructorDeclaration)) return false;
      one = base(declaration);
    }
    return false;
  }
  function base(/** @type {import("typescript").ClassLikeDeclaration} */ node) {
    const extended = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
    return extended && meant(extended.expression);
  }
  function meant(/** @type {Node} */ name) {
    const symbol = checker.getSymbolAtLocation(name);
    const own = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const { initializer } = /** @type {any} */ (own?.valueDeclaration ?? {});
    return initializer && ts.isClassExpression(initializer) ? /** @type {any} */ (initializer).symbol : own;
  }
}
