// Members that scripts give to prototypes in ways of which the compiler learns nothing: `Object.assign(A.prototype, { b() {} })`,
// `util.inherits(B, A)`, `B.prototype = Object.create(A.prototype)`, and whom `this` names in what a prototype is given.

/** @typedef {import("typescript").Node} Node @typedef {import("typescript").Symbol} Symbol */

export class Prototypes {
  /** What a class or a function inherits from. @type {Map<Symbol, Symbol>} */
  #bases = new Map();

  /** @param {typeof import("typescript")} ts @param {import("typescript").TypeChecker} checker @param {Iterable<import("typescript").SourceFile>} sources */
  constructor(ts, checker, sources) {
    this.ts = ts;
    this.checker = checker;
    for (const source of sources) if (source.text.includes("rototype") || source.text.includes("inherits")) this.#read(source);
  }

  #read(/** @type {Node} */ node) {
    const { ts } = this;
    if (ts.isCallExpression(node)) this.#called(node);
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) this.#assigned(node);
    ts.forEachChild(node, (one) => this.#read(one));
  }
  /** `B.prototype = Object.create(A.prototype)`, `B.prototype.__proto__ = A.prototype` */
  #assigned(/** @type {import("typescript").BinaryExpression} */ { left, right }) {
    const { ts } = this;
    if (ts.isCallExpression(right) && /^Object\.create$/.test(right.expression.getText())) this.#inherit(this.#owner(left), this.#owner(right.arguments[0]));
    if (ts.isPropertyAccessExpression(left) && left.name.text === "__proto__") this.#inherit(this.#owner(left.expression), this.#owner(right));
  }
  #called(/** @type {import("typescript").CallExpression} */ { expression, arguments: given }) {
    const name = expression.getText();
    if (/(?:^|\.)inherits$/.test(name) && given.length === 2) this.#inherit(this.#named(given[0]), this.#named(given[1]));
    if (/^(?:Object|Reflect)\.setPrototypeOf$/.test(name)) this.#inherit(this.#owner(given[0]), this.#owner(given[1]));
  }
  #inherit(/** @type {Symbol | undefined} */ heir, /** @type {Symbol | undefined} */ base) {
    if (heir && base && heir !== base) this.#bases.set(heir, base);
  }
  /** A of `A.prototype`. */
  #owner(/** @type {Node | undefined} */ node) {
    const { ts } = this;
    return node && ts.isPropertyAccessExpression(node) && node.name.text === "prototype" ? this.#named(node.expression) : undefined;
  }
  #named(/** @type {Node} */ node) {
    return this.own(this.checker.getSymbolAtLocation(node));
  }
  /** What a declaration gives its name: `const A = function () {}`, `module.exports = exports = A`. */
  #initializer(/** @type {Node} */ declared) {
    const { ts } = this;
    if (ts.isVariableDeclaration(declared)) return declared.initializer;
    const assignment = ts.isBinaryExpression(declared) ? declared : declared.parent;
    return assignment && ts.isBinaryExpression(assignment) && assignment.right !== declared ? assignment.right : undefined;
  }
  /** The class or function that a name stands for, through imports and constants. @returns {Symbol | undefined} */
  own(/** @type {Symbol | undefined} */ symbol, far = 5) {
    if (!symbol || !far) return symbol;
    const { ts, checker } = this;
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const { valueDeclaration: declared } = target;
    let value = declared && this.#initializer(declared);
    if (value) {
      while (ts.isParenthesizedExpression(value) || (ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken)) value = ts.isParenthesizedExpression(value) ? value.expression : value.right;
      if (ts.isFunctionExpression(value) || ts.isClassExpression(value)) return /** @type {any} */ (value).symbol;
      const type = checker.getTypeAtLocation(value).symbol;
      if (type && type !== target && type.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Function)) return bound(type);
      return ts.isIdentifier(value) ? this.own(checker.getSymbolAtLocation(value), far - 1) : target;
    }
    return bound(target);
  }

  /** What a class or a function inherits from by its prototype. */
  base = (/** @type {Symbol} */ heir) => this.#bases.get(heir) ?? this.#bases.get(/** @type {Symbol} */ (this.own(heir)));
  /** The classes and functions that inherit so. */
  heirs = () => this.#bases.keys();

  /** To whose prototype a key is given, of an object or by assignment. @returns {Symbol | undefined} */
  given(/** @type {Node} */ key) {
    const { ts } = this;
    if (key.parent && ts.isPropertyAccessExpression(key.parent) && key.parent.name === key) return this.#owner(key.parent.expression);
    const object = key.parent?.parent;
    const call = object?.parent;
    if (!object || !ts.isObjectLiteralExpression(object) || !call) return undefined;
    if (ts.isCallExpression(call) && call.arguments.indexOf(object) > 0) return this.#owner(call.arguments[0]);
    if (ts.isBinaryExpression(call) && call.right === object) return this.#owner(call.left);
    return undefined;
  }
  /** Whose instance a value is. @returns {Symbol | undefined} */
  instance(/** @type {Node} */ node) {
    const { ts, checker } = this;
    const owner = this.#owner(node);
    if (owner) return owner;
    const type = checker.getTypeAtLocation(node);
    const isItself = type.getCallSignatures().length + type.getConstructSignatures().length > 0;
    if (isItself) return undefined;
    if (type.symbol && type.symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Function)) return bound(type.symbol);
    let value = node;
    if (ts.isIdentifier(node)) {
      const declared = checker.getSymbolAtLocation(node)?.valueDeclaration;
      if (declared && ts.isVariableDeclaration(declared) && declared.initializer) value = declared.initializer;
    }
    if (ts.isNewExpression(value)) return this.#named(value.expression);
    if (value.kind !== ts.SyntaxKind.ThisKeyword) return undefined;
    const own = /** @type {any} */ (ts).getThisContainer(value, false, false);
    if (!ts.isFunctionLike(own)) return undefined;
    if (ts.isFunctionDeclaration(own)) return own.name && this.#named(own.name);
    const { parent } = own;
    if (ts.isBinaryExpression(parent) && ts.isPropertyAccessExpression(parent.left)) return this.#owner(parent.left.expression);
    return this.given(ts.isPropertyAssignment(parent) ? parent.name : own.name ?? own);
  }
  /** Whether a value has what one of some classes or functions has, by the prototype of its own. */
  inherits(/** @type {Node} */ node, /** @type {Set<Symbol>} */ holders) {
    const seen = new Set();
    for (let one = this.instance(node); one && !seen.has(one); one = this.base(one) ?? this.#extended(one)) {
      if (holders.has(one)) return true;
      seen.add(one);
    }
    return false;
  }
  #extended(/** @type {Symbol} */ symbol) {
    const { ts } = this;
    const declared = symbol.valueDeclaration;
    const base = declared && ts.isClassLike(declared) ? declared.heritageClauses?.find((clause) => clause.token === ts.SyntaxKind.ExtendsKeyword)?.types[0] : undefined;
    return base && this.#named(base.expression);
  }
}

/** The symbol that the binder gave to what declares one: the compiler makes further ones of a function with members. */
const bound = (/** @type {Symbol} */ symbol) => /** @type {Symbol} */ (/** @type {any} */ (symbol.valueDeclaration)?.symbol ?? symbol);
