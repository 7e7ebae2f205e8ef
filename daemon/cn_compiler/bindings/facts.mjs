// The facts of one file, by TypeScript's own parser and binder: variables, uses, exports. No name is followed out of the
// file, so that the facts of a text are the same wherever it lies.
//
// A *variable* is what the binder calls a symbol. A *use* is an identifier, or a string that names something: where it
// stands, and its *owner*: the variable that its scope leads to, the use whose member it is (`a.b`, `import { b } from "a"`),
// or nothing that is known here.

import { exportedObject, nameInChain, usagesIn } from "./usage.mjs";

/** What a use is, as bits. */
export const Role = {
  Declaration: 1,
  /** The string that names a module. */
  Specifier: 2,
  /** Of an import or an export: it hands the thing on, and names no use of its own. */
  Alias: 4,
  /** `this` and `super` of static members, `default` of an import: holders without a text of their own. */
  Silent: 8,
  /** What it stands for leaves its name here: `f(a)`, `{ ...a }`, `a[b]`. */
  Leaves: 16,
  /** The key of an object literal, a member of a type: no name of a variable. */
  Key: 32,
  Value: 64,
  Type: 128,
  Namespace: 256,
  /** `import.meta.glob("./*")` and `import("./" + a)`: a string that names many modules. */
  Pattern: 512,
  /** One of several values that a module exports as its default, or what a call makes of it: `export default a ?? b`, `export default memo(Row)`. */
  Branch: 1024,
  /** In the template of a component: a name that its scripts do not declare is one of its own, or comes by an auto-import. */
  Template: 2048,
  /** In a script of a page: a name that it does not declare may be another script's of that page. */
  Page: 4096,
  /** What it stands for is read here by a key that is computed: `a[b]`. The bits between are those of `Usage`. */
  Computed: 65536,
};
/** Whether a use stands for itself where it is: not one that only leads to another, but for the word `default` that declares one. */
export const isShown = (/** @type {number} */ roles) => !(roles & Role.Silent) || Boolean(roles & Role.Declaration);

/** Owners that are no variable. A number below them is a member of the use `memberOf(owner)`. */
export const Owner = { Free: -1, Unknown: -2 };
export const member = (/** @type {number} */ use) => (use < 0 ? Owner.Unknown : -3 - use);
export const memberOf = (/** @type {number} */ owner) => -3 - owner;

/**
 * @typedef {object} Variable
 * @property {string} name as exported: "default", "export=", `"a"` of an ambient module, "__global"
 * @property {string} text the name that is written
 * @property {number} flags ts.SymbolFlags
 * @property {"module" | "member" | "static" | "local"} scope
 * @property {number} container the variable that holds a member or a static
 * @property {number[]} declarations indexes of Facts.declarations
 * @property {number} start where its first name stands
 * @property {number} [target] the use that it stands for
 * @property {"alias" | "value" | "module" | "umd"} [stands] as another name; as a constant that holds it; as a module, or what that assigns to its exports; for the file's own module
 * @property {number} [base] the use that a class extends
 * @property {boolean} [isTop] whether it is declared at the top of a script that a component sends to browsers
 * @property {boolean} [isOfPage] whether other scripts of a page may name it
 * @property {boolean} [hasNoContext] of an object literal: whether nothing around it gives it a contextual type
 * @property {string} [given] the name by which other components give it
 */

/**
 * @typedef {object} Declaration
 * @property {string} name
 * @property {string} kind as on the wire
 * @property {number} variable
 * @property {number} start with decorators, modifiers, documentation
 * @property {number} end
 * @property {number} nameStart
 * @property {number} nameEnd
 * @property {number} container index of the declaration around it, or -1
 * @property {boolean} exported
 * @property {number} [scope] of a member of a type literal, where that ends
 */

/**
 * @typedef {object} Facts
 * @property {boolean} isModule
 * @property {boolean} isCommonJs
 * @property {string[]} names
 * @property {Int32Array} uses four numbers each: index of its name, start, owner, roles with its usage (`usage.mjs`)
 * @property {Variable[]} variables
 * @property {Declaration[]} declarations
 * @property {Map<string, number>} exports
 * @property {number[]} stars uses of Role.Specifier
 * @property {Map<number, number[]>} ambientStars the same of ambient modules: variable -> uses
 * @property {Map<string, number>} members "container.name" -> variable, of statics
 * @property {number[]} ambients variables of `declare module "a"` and `declare global`
 * @property {Map<number, number>} specifiers of an ambient module: variable -> the use that names it
 * @property {Map<number, number>} inside names that nothing here declares, in a namespace: use -> its variable
 * @property {{ variable: number, use: number, kind: "extends" | "implements" }[]} heritage
 * @property {number[]} lines where lines begin
 * @property {number} errors how many errors of syntax
 * @property {{ reason: string, spans: [number, number][] }} [unread] what of a component is not read, and why
 */

// Tags of documentation that name something, beside `@link` and `@see`, for which TypeScript looks itself. In scripts all are read.
const TAGS = /\*\s*@(?:\w+\s*\{|param\b|template\b)/;
const MOCKS = new Set(["mock", "doMock", "unmock", "dontMock", "doUnmock", "importActual", "importMock", "requireActual", "requireMock", "setMock", "createMockFromModule", "unstable_mockModule"]);
// What esbuild and SWC add getters to an object with: `__export(held, { a: () => a })`.
const GETTERS = /^_{1,2}export$/;
const AMD = /^(?:define|require|requirejs)$/;
// What AMD gives a module itself by these names is no module.
const AMD_OWN = /^(?:require|exports|module)$/;
/** By a method that loads a module the object that has it. */
const LOADERS = new Map([["require", "module"], ["import", "System"]]);
const CREATE_REQUIRE = /^(?:\w+\.)?createRequire\((?:import\.meta\.(?:url|filename)|__filename)\)$/;
const KEYS_ONLY = new Set(["keys", "values", "entries", "freeze", "getOwnPropertyNames", "hasOwn", "is"]);

/** Where the lines of a text begin, as LSP and editors count them: TypeScript ends some at U+2028, too. */
export function linesOf(/** @type {string} */ text) {
  const found = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|[\r\n]/g)) found.push(/** @type {number} */ (index) + end.length);
  return found;
}

/**
 * A reader of files.
 * @param {import("typescript")} ts the pinned one: the binder is no public part of it
 * @returns {(path: string, text: string, isModule?: boolean) => Facts}
 */
export function reader(ts) {
  const { SyntaxKind: K, SymbolFlags: F } = ts;
  /** @type {any} */
  const internal = ts;
  const MEANINGS = F.Value | F.Type | F.Namespace;

  return function read(path, text, isModule = false) {
    const detection = isModule ? { setExternalModuleIndicator: internal.getSetExternalModuleIndicator({ moduleDetection: ts.ModuleDetectionKind.Force }) } : {};
    /** @type {any} */
    const file = ts.createSourceFile(path, text, { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: TAGS.test(text) ? ts.JSDocParsingMode.ParseAll : ts.JSDocParsingMode.ParseForTypeErrors, ...detection }, true);
    internal.bindSourceFile(file, { allowJs: true, target: ts.ScriptTarget.Latest });
    return factsOf(file, isModule);
  };

  /** One walk over a bound file. @returns {Facts} */
  function factsOf(/** @type {any} */ file, /** @type {boolean} */ isModule) {
    const { text } = file;
    const isScript = Boolean(file.flags & ts.NodeFlags.JavaScriptFile);
    /** @type {Map<string, number>} */
    const nameIndexes = new Map();
    /** @type {string[]} */
    const names = [];
    /** @type {number[]} */
    const uses = [];
    /** @type {Variable[]} */
    const variables = [];
    /** @type {Map<any, number>} */
    const bySymbol = new Map();
    /** @type {any[]} of each variable the symbol that it was found by */
    const symbols = [];
    /** @returns {any[]} */
    const declarationsOf = (/** @type {number} */ variable) => symbols[variable]?.declarations ?? [];
    /** @type {Declaration[]} */
    const declarations = [];
    /** @type {Map<string, number>} */
    const exported = new Map();
    /** The symbols of `module.exports = { a }`: what is listed there is exported, and no object. */
    const listed = new Set();
    /** @type {number[]} */
    const stars = [];
    /** @type {Map<number, number[]>} */
    const ambientStars = new Map();
    /** @type {number[]} */
    const ambients = [];
    /** @type {Map<number, number>} */
    const specifiers = new Map();
    /** @type {Map<number, number>} */
    const inside = new Map();
    /** @type {Facts["heritage"]} */
    const heritage = [];
    /** @type {any[]} */
    const scopes = [];
    /** @type {Map<number, number>} what gives the module that is mocked: variable -> the use that names it */
    const originals = new Map();
    /** @type {Map<number, number>} variables without a type or a first value -> the module that they were given */
    const filled = new Map();
    let isDeclared = false;
    /** @type {boolean[]} of the functions around: whether the type is written down of what they return */
    const returns = [];
    /** @type {number[]} the variables of the labels around */
    const labels = [];
    /** @type {any[]} symbols of the namespaces around */
    const namespaces = [];
    let around = -1;
    let depth = 0;
    /** @typedef {{ name: string, owner: number }} Receiver what `this` is: as a use of that name and owner */
    /** @type {(Receiver | undefined)[]} of the functions around; at the top of a module in CommonJS what it exports */
    const receivers = [isScript && file.commonJsModuleIndicator ? { name: "exports", owner: Owner.Free } : undefined];
    const itself = (/** @type {number} */ variable) => ({ name: "this", owner: variable });
    /** @type {Map<any, Receiver>} of functions that are assigned to a member: `a.b = function () {}` */
    const assigning = new Map();
    /** The use whose member was walked over last. */
    let accessed = -1;

    /** The variable that is all of a script's exports, and an object of its own. */
    const exportsVariable = isScript ? exportedObject(ts, file) : undefined;
    const isExportsVariable = (/** @type {any} */ node) => exportsVariable && ts.isIdentifier(node) && bound(node.escapedText, Role.Value) === variableOf(exportsVariable.symbol);

    // ---- variables

    function variableOf(/** @type {any} */ symbol) {
      // `interface A {}` beside `export const A`: the local symbol has a meaning of its own.
      const { flags } = symbol;
      symbol = symbol.exportSymbol ?? symbol;
      let index = bySymbol.get(symbol);
      if (index !== undefined) return (variables[index].flags |= flags & MEANINGS), index;
      index = variables.length;
      bySymbol.set(symbol, index);
      symbols[index] = symbol;
      const first = symbol.declarations?.[0];
      const named = first && ts.getNameOfDeclaration(first);
      const name = plain(symbol);
      const { scope, container } = place(symbol);
      const written = named && (ts.isIdentifier(named) || ts.isStringLiteralLike(named)) ? named.text : name;
      variables.push({ name, text: written, flags: symbol.flags | (flags & MEANINGS), scope, container: -1, declarations: [], start: named ? startOf(named) : (first?.getStart(file) ?? 0) });
      if (container) variables[index].container = variableOf(container);
      if (first && ts.isObjectLiteralExpression(first) && hasNoContext(first)) variables[index].hasNoContext = true;
      if (isModule && scope === "local" && first && isApart(internal.getEnclosingBlockScopeContainer(first))) variables[index].isTop = true;
      return index;
    }
    const plain = (/** @type {any} */ symbol) =>
      symbol.escapedName === "default" || symbol.escapedName === "export=" ? symbol.escapedName : ts.unescapeLeadingUnderscores(symbol.escapedName);

    /** Whether a function is called at the top of the file where it stands. */
    const isApart = (/** @type {any} */ node) => node && ts.isArrowFunction(node) && ts.isParenthesizedExpression(node.parent) && ts.isCallExpression(node.parent.parent) && node.parent.parent.parent.parent === file;
    /** Whether a value is all of what a variable without a written type is given, or stands within that. @returns {boolean} */
    function hasNoContext(/** @type {any} */ node) {
      const { parent } = node;
      if (internal.tryGetJSDocSatisfiesTypeNode(parent) || internal.isJSDocTypeAssertion(parent)) return false;
      if (ts.isVariableDeclaration(parent)) return ts.isIdentifier(parent.name) && !internal.getEffectiveTypeAnnotationNode(parent);
      const isWithin = ts.isPropertyAssignment(parent) || ts.isObjectLiteralExpression(parent) || ts.isArrayLiteralExpression(parent) || ts.isParenthesizedExpression(parent) || (ts.isAsExpression(parent) && ts.isConstTypeReference(parent.type));
      return isWithin && hasNoContext(parent);
    }
    /** @returns {{ scope: Variable["scope"], container?: any }} */
    function place(/** @type {any} */ symbol) {
      const { parent } = symbol;
      if (parent && parent !== file.symbol) {
        const isStatic = parent.exports?.get(symbol.escapedName) === symbol || parent.globalExports?.get(symbol.escapedName) === symbol;
        return { scope: isStatic ? "static" : "member", container: parent };
      }
      if (parent || file.symbol?.exports?.get(symbol.escapedName) === symbol) return { scope: "module" };
      const local = file.locals?.get(symbol.escapedName);
      if (local === symbol || local?.exportSymbol === symbol) return { scope: "module" };
      // `a.b = 1` of a script, where another one declares a.
      if (!isModule && /** @type {any} */ (file).jsGlobalAugmentations?.get(symbol.escapedName) === symbol) return { scope: "module" };
      return { scope: "local" };
    }

    const fits = (/** @type {any} */ symbol, /** @type {number} */ meaning) => {
      const flags = symbol.flags | (symbol.exportSymbol?.flags ?? 0);
      return (
        flags & F.Alias ||
        (meaning & Role.Value && flags & F.Value) ||
        (meaning & Role.Type && flags & F.Type) ||
        (meaning & Role.Namespace && flags & F.Namespace)
      );
    };
    const isListed = (/** @type {any} */ symbol) => symbol.flags & F.Alias && symbol.declarations?.every((/** @type {any} */ one) => ts.isExportSpecifier(one) || ts.isNamespaceExport(one) || ts.isExportAssignment(one));

    /** The variable that a name leads to from here, or Owner.Free. */
    function bound(/** @type {any} */ name, /** @type {number} */ meaning) {
      for (let at = scopes.length - 1; at >= 0; at--) {
        const node = scopes[at];
        let local = node.locals?.get(name);
        // `@typedef {string} a.B` of a module: the binder exports the namespace and declares another one.
        if (isScript && local?.flags & F.NamespaceModule) local = file.symbol?.exports?.get(name) ?? file.locals?.get(name) ?? local;
        if (local && fits(local, meaning) && !isListed(local)) return variableOf(local);
        if (ts.isModuleDeclaration(node) || ts.isEnumDeclaration(node) || ts.isSourceFile(node)) {
          const member = /** @type {any} */ (node).symbol?.exports?.get(name);
          if (member && name !== "default" && fits(member, meaning) && !isListed(member) && !isProperty(member)) return variableOf(member);
        } else if (ts.isClassLike(node) || ts.isInterfaceDeclaration(node)) {
          const parameter = /** @type {any} */ (node).symbol?.members?.get(name);
          if (parameter && meaning & Role.Type && parameter.flags & F.TypeParameter) return variableOf(parameter);
        }
        if ((ts.isClassExpression(node) || ts.isFunctionExpression(node)) && node.name?.escapedText === name) return variableOf(/** @type {any} */ (node).symbol);
      }
      return Owner.Free;
    }
    // `exports.a = 1` declares no name that is in scope.
    const isProperty = (/** @type {any} */ symbol) => isScript && symbol.flags & F.Property && !(symbol.flags & (F.Type | F.Namespace));

    /** `export = class A {}`, `const A = class {}`: two symbols of the binder are one. */
    function merge(/** @type {any} */ symbol, /** @type {any} */ value, /** @type {boolean} */ isExport) {
      while (ts.isParenthesizedExpression(value)) value = value.expression;
      const isClass = ts.isClassExpression(value);
      if (!(isClass || (isExport && ts.isFunctionExpression(value))) || (value.name && !isExport)) return;
      const variable = variableOf(symbol);
      bySymbol.set(/** @type {any} */ (value).symbol, variable);
      variables[variable].flags |= /** @type {any} */ (value).symbol.flags & MEANINGS;
      if (value.name) Object.assign(variables[variable], { text: value.name.text, start: startOf(value.name) });
    }

    // ---- uses

    function startOf(/** @type {any} */ node) {
      if (!ts.isIdentifier(node)) return node.getStart(file) + (ts.isStringLiteralLike(node) ? 1 : 0);
      // Quicker than to look for the end of what stands before it; not with escapes.
      const start = node.end - node.text.length;
      return text.startsWith(node.text, start) && start >= node.pos ? start : node.getStart(file);
    }
    function use(/** @type {string} */ name, /** @type {number} */ start, /** @type {number} */ owner, /** @type {number} */ roles) {
      let index = nameIndexes.get(name);
      if (index === undefined) nameIndexes.set(name, (index = names.push(name) - 1));
      uses.push(index, start, owner, roles);
      return uses.length / 4 - 1;
    }
    const useAt = (/** @type {any} */ node, /** @type {number} */ owner, /** @type {number} */ roles) => use(node.text, startOf(node), owner, roles);
    const mark = (/** @type {number} */ index, /** @type {number} */ roles) => index >= 0 && (uses[index * 4 + 3] |= roles);
    function reference(/** @type {any} */ node, /** @type {number} */ meaning) {
      const owner = bound(node.escapedText, meaning);
      const index = useAt(node, owner, meaning);
      // Other files may declare it in the same namespace.
      const namespace = owner === Owner.Free && namespaces.length ? namespaces[namespaces.length - 1] : undefined;
      if (namespace) inside.set(index, variableOf(namespace));
      return index;
    }
    const leave = (/** @type {number} */ index) => isDeclared || mark(index, Role.Leaves);
    /** Where the type is written down of what an expression goes to, nothing of its own type goes on. */
    function declaring(/** @type {boolean} */ isIt, /** @type {() => any} */ walk) {
      const before = isDeclared;
      isDeclared = isIt;
      const result = walk();
      isDeclared = before;
      return result;
    }

    /** The name that a node declares: what is not a name is walked through. */
    function declare(/** @type {any} */ node, /** @type {number} */ roles = 0) {
      const named = node.name ?? ts.getNameOfDeclaration(node);
      const symbol = node.symbol && (node.localSymbol ?? node.symbol);
      const variable = symbol ? variableOf(symbol) : Owner.Unknown;
      // `module.exports = class {}` stands where it is assigned, and `exports` is no name of it.
      if (variable >= 0 && variables[variable].name === "export=" && ts.isClassExpression(node) && !node.name) return variable;
      const literal = named && ts.isComputedPropertyName(named) ? named.expression : named;
      if (!literal) return byDefault(node, variable), variable;
      if (ts.isIdentifier(literal) ? literal === named : ts.isStringLiteralLike(literal) || ts.isNumericLiteral(literal)) {
        if (!ts.isIdentifier(literal) || literal.escapedText !== "") useAt(literal, variable, Role.Declaration | roles);
      } else if (ts.isComputedPropertyName(named)) expression(literal);
      return variable;
    }

    /** What has no name but `default`, or is all of a module, stands there. */
    function byDefault(/** @type {any} */ node, /** @type {number} */ variable, roles = Role.Declaration) {
      if (variable < 0) return;
      const { name } = variables[variable];
      const word = name === "export=" ? (node.left ?? node) : [...(node.modifiers ?? []), ...(ts.isExportAssignment(node) ? node.getChildren(file) : [])].find((one) => one.kind === K.DefaultKeyword);
      if (!word) return;
      use(name, word.getStart(file), variable, roles);
      variables[variable].start = word.getStart(file);
    }

    /** Where the names stand of which one is the value, or what a call makes of it: `memo(Row)`. @returns {number[]} */
    function branches(/** @type {any} */ node) {
      if (ts.isIdentifier(node)) return [startOf(node)];
      if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node) || ts.isTypeAssertionExpression(node)) return branches(node.expression);
      if (ts.isCallExpression(node)) return node.arguments.filter(ts.isIdentifier).map(startOf);
      if (ts.isConditionalExpression(node)) return [...branches(node.whenTrue), ...branches(node.whenFalse)];
      return ts.isBinaryExpression(node) ? [...branches(node.left), ...branches(node.right)] : [];
    }

    /** @returns {number} */
    function entity(/** @type {any} */ node, /** @type {number} */ meaning) {
      if (ts.isIdentifier(node)) return reference(node, meaning);
      if (ts.isQualifiedName(node)) {
        // `Class.static` of a documentation link means any.
        const isLink = meaning === (Role.Value | Role.Type | Role.Namespace);
        const left = entity(node.left, meaning === Role.Value || isLink ? meaning : Role.Namespace);
        return useAt(node.right, member(left), meaning);
      }
      if (ts.isPropertyAccessExpression(node)) {
        const left = entity(node.expression, Role.Namespace);
        return useAt(node.name, member(left), meaning);
      }
      // `Class#member` of a documentation link: an instance's.
      if (/** @type {any} */ (node).kind === K.JSDocMemberName) {
        entity(node.left, Role.Value | Role.Type | Role.Namespace);
        return useAt(node.right, Owner.Unknown, Role.Key);
      }
      visit(node);
      return -1;
    }

    const specifier = (/** @type {any} */ node, roles = 0) => useAt(node, Owner.Unknown, Role.Specifier | roles);

    // ---- expressions: each gives the use that it stands for, or -1

    /** @returns {number} */
    function expression(/** @type {any} */ node) {
      switch (node.kind) {
        case K.Identifier:
          return node.escapedText === "" ? -1 : reference(node, Role.Value);
        case K.PropertyAccessExpression:
          return access(node);
        case K.ElementAccessExpression:
          return elementAccess(node);
        case K.ParenthesizedExpression:
          node.jsDoc?.forEach(visit);
          return internal.isJSDocTypeAssertion(node) ? (visit(node.expression), -1) : expression(node.expression);
        case K.NonNullExpression:
        case K.AwaitExpression:
          return expression(node.expression);
        case K.AsExpression:
          // `await load() as typeof import("./a")` is that module.
          if (!(ts.isImportTypeNode(node.type) && node.type.isTypeOf)) return visit(node), -1;
          expression(node.expression);
          return importType(node.type);
        case K.SatisfiesExpression: {
          const index = expression(node.expression);
          visit(node.type);
          return index;
        }
        case K.CallExpression:
          return declaring(false, () => call(node));
        case K.ClassExpression:
          visit(node);
          return node.symbol ? use("class", node.getStart(file), variableOf(node.symbol), Role.Silent) : -1;
        case K.ThisKeyword:
        case K.SuperKeyword: {
          const receiver = receivers[receivers.length - 1];
          if (!receiver) return -1;
          if (node.kind === K.SuperKeyword) return variables[receiver.owner]?.base ?? -1;
          // `new this()` makes the class.
          const isMade = receiver.name === "this" && ts.isNewExpression(node.parent) && node.parent.expression === node;
          return use(receiver.name, node.getStart(file), receiver.owner, isMade || isClass(node) ? Role.Value : Role.Silent);
        }
        case K.BinaryExpression:
          return binary(node);
        default:
          visit(node);
          return -1;
      }
    }

    /** Whether `this` names a class: in the body of a static method itself, as the compiler has it. */
    function isClass(/** @type {any} */ node) {
      const around = internal.getThisContainer(node, true, false);
      const isMethod = ts.isMethodDeclaration(around) || ts.isAccessor(around);
      return isMethod && internal.isStatic(around) && /** @type {any} */ (around.parent).name && around.body && around.body.pos <= node.pos;
    }

    /** `(a ? b : c).d`: of each what it may be. @returns {any[]} */
    function alternatives(/** @type {any} */ node) {
      while (ts.isParenthesizedExpression(node)) node = node.expression;
      if (ts.isConditionalExpression(node)) return [...alternatives(node.whenTrue), ...alternatives(node.whenFalse)];
      const isChoice = ts.isBinaryExpression(node) && [K.BarBarToken, K.QuestionQuestionToken].includes(node.operatorToken.kind);
      return isChoice ? [...alternatives(node.left), ...alternatives(node.right)] : [node];
    }
    const conditions = (/** @type {any} */ node) => {
      while (ts.isParenthesizedExpression(node)) node = node.expression;
      if (ts.isConditionalExpression(node)) visit(node.condition), conditions(node.whenTrue), conditions(node.whenFalse);
      else if (alternatives(node).length > 1) conditions(node.left), conditions(node.right);
    };

    function access(/** @type {any} */ node) {
      const holders = alternatives(node.expression);
      if (holders.length > 1 && ts.isIdentifier(node.name)) {
        conditions(node.expression);
        const uses = holders.map(expression);
        accessed = -1;
        return uses.map((holder) => useAt(node.name, member(holder), Role.Value | Role.Namespace))[0];
      }
      const holder = expression(node.expression);
      accessed = holder;
      if (ts.isPrivateIdentifier(node.name)) useAt(node.name, Owner.Unknown, Role.Key);
      if (!ts.isIdentifier(node.name) || node.name.escapedText === "") return -1;
      if (node.symbol) return useAt(node.name, variableOf(node.symbol), Role.Declaration | Role.Value);
      const own = isExports(node.expression) ? ownExport(node.name.escapedText) : Owner.Unknown;
      return own >= 0 ? useAt(node.name, own, isEmptied(node) ? Role.Value | Role.Declaration : Role.Value) : useAt(node.name, member(holder), Role.Value | Role.Namespace);
    }
    /** `exports.a = exports.b = void 0`, as compilers begin what they write: it announces the export. */
    function isEmptied(/** @type {any} */ node) {
      const { parent } = node;
      if (!internal.isAssignmentExpression(parent, true) || parent.left !== node) return false;
      let value = parent.right;
      while (internal.isAssignmentExpression(value, true)) value = value.right;
      return ts.isVoidExpression(value);
    }
    // `exports.a()` uses what the file exports itself.
    const ownExport = (/** @type {any} */ name) => {
      const symbol = file.symbol?.exports?.get(name);
      return symbol ? variableOf(symbol) : Owner.Unknown;
    };
    // In TypeScript they are what the environment declares.
    const isExports = (/** @type {any} */ node) => (isScript ? internal.isModuleExportsAccessExpression(node) || internal.isExportsIdentifier(node) : ts.isIdentifier(node) && node.text === "exports" && isGiven(node));
    /** Whether a name is what Node.js gives a module in CommonJS: nothing in the file declares it, or only as something from elsewhere. */
    function isGiven(/** @type {any} */ node) {
      const owner = bound(node.escapedText, Role.Value);
      return owner === Owner.Free || declarationsOf(owner).every((/** @type {any} */ one) => ts.getCombinedModifierFlags(one) & ts.ModifierFlags.Ambient);
    }

    function elementAccess(/** @type {any} */ node) {
      const holder = expression(node.expression);
      const key = node.argumentExpression;
      accessed = holder;
      if (ts.isStringLiteralLike(key)) return useAt(key, node.symbol ? variableOf(node.symbol) : member(holder), node.symbol ? Role.Declaration | Role.Value : Role.Value);
      leave(holder);
      const held = internal.skipOuterExpressions(node.expression); // (a as any)[b]
      if (!ts.isNumericLiteral(key)) mark(holder < 0 && ts.isIdentifier(held) ? lastUse(held) : holder, Role.Computed);
      passed(key);
      accessed = holder;
      return -1;
    }

    /** An expression whose value goes on to where names do not follow it. @returns {number} no use */
    const passed = (/** @type {any} */ node) => (leave(expression(node)), -1);

    /** `module.require` of Node.js, and `System.import`. */
    const isLoader = (/** @type {any} */ node) => ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && LOADERS.get(node.name.text) === node.expression.text && isGiven(node.expression);
    /** `define(["a"], (a) => …)` of AMD. */
    function amdModules(/** @type {any[]} */ args) {
      /** @type {number[]} */
      let modules = [];
      for (const one of args) {
        if (ts.isArrayLiteralExpression(one)) modules = one.elements.map((/** @type {any} */ path) => (ts.isStringLiteralLike(path) && !AMD_OWN.test(path.text) ? specifier(path) : passed(path)));
        else if (ts.isFunctionLike(one)) scope(one, () => functionLike(one, modules));
        else passed(one);
      }
    }
    /** Whether a script exports what is added to an object, as esbuild writes it. */
    const isExportsObject = (/** @type {any} */ node) => isExports(node) || (ts.isIdentifier(node) && text.includes(`module.exports = __toCommonJS(${node.text})`));
    const hasCreateRequire = text.includes("createRequire");
    const callsCreateRequire = (/** @type {any} */ node) => ts.isCallExpression(node) && CREATE_REQUIRE.test(node.getText(file));
    /** Whether an expression is the `require` that Node.js makes for an ES module, or a constant that holds it. */
    function isCreatedRequire(/** @type {any} */ node) {
      if (!hasCreateRequire || !ts.isIdentifier(node)) return hasCreateRequire && callsCreateRequire(node);
      const owner = bound(node.escapedText, Role.Value);
      return declarationsOf(owner).some((/** @type {any} */ one) => ts.isVariableDeclaration(one) && one.initializer && callsCreateRequire(one.initializer));
    }

    /** @returns {number} */
    function call(/** @type {any} */ node) {
      const { expression: callee, arguments: args } = node;
      const first = args[0];
      const isImport = callee.kind === K.ImportKeyword;
      const isRequire = ts.isIdentifier(callee) && callee.text === "require" && isGiven(callee);
      if (ts.isIdentifier(callee) && AMD.test(callee.text) && isGiven(callee) && args.some(ts.isArrayLiteralExpression)) return amdModules(args), -1;
      if ((isImport || isRequire || isCreatedRequire(callee) || isLoader(callee)) && first) {
        // What the file declares itself is used.
        if (!isImport && !(isRequire && bound(callee.escapedText, Role.Value) === Owner.Free)) expression(callee);
        const index = module(first);
        args.slice(1).forEach(visit);
        return index;
      }
      const holder = expression(callee);
      const original = holder >= 0 ? originals.get(uses[holder * 4 + 2]) : undefined;
      const isMock = ts.isPropertyAccessExpression(callee) && MOCKS.has(callee.name.text);
      // What `typeof import("a")` tells of a mock, its string tells as well.
      for (const one of node.typeArguments ?? []) isMock || original !== undefined ? typed(one) : visit(one);
      if (original !== undefined) return original;
      if (ts.isPropertyAccessExpression(callee)) {
        const { text } = callee.name;
        // vi.mock(import("a"), …)
        if (isMock && first && ts.isCallExpression(first) && first.expression.kind === K.ImportKeyword) return mocked(expression(first), args.slice(1)), -1;
        if (text === "context" && first && ts.isIdentifier(callee.expression) && callee.expression.text === "require" && ts.isStringLiteralLike(first)) leave(useText(first, `${first.text}/**`));
        // jest.mock("a"), vi.importActual("a"), require.resolve("a"), import.meta.resolve("a")
        if (first && ts.isStringLiteralLike(first) && (MOCKS.has(text) || (text === "resolve" && (/^(require|import\.meta)$/.test(callee.expression.getText(file)) || isCreatedRequire(callee.expression))))) {
          const index = specifier(first);
          mocked(index, args.slice(1));
          return /Actual|Mock$/.test(text) ? index : -1;
        }
        if (text === "glob" && callee.expression.kind === K.MetaProperty) first && globs(first);
        // import("a").then((m) => m.b), and a.then(…) of `const a = import("a")`
        const inner = memberOf(uses[holder * 4 + 2] ?? 0);
        const handler = text === "then" && first && ts.isFunctionLike(first) ? first.parameters[0] : undefined;
        if (handler && inner >= 0) {
          mark(holder, Role.Silent);
          args.forEach((/** @type {any} */ one) => (one === first ? scope(one, () => functionLike(one, [inner])) : passed(one)));
          return -1;
        }
      }
      if (isScript && ts.isIdentifier(callee) && GETTERS.test(callee.text) && args[1] && ts.isObjectLiteralExpression(args[1]) && isExportsObject(first)) {
        if (!isExports(first)) passed(first);
        return exportedKeys(args[1], false, true), -1;
      }
      if (ts.isIdentifier(callee) && /^__(exportStar|export|reExport)$/.test(callee.text) && first) {
        for (const one of args) {
          if (ts.isCallExpression(one)) stars.push(expression(one));
          else isExports(one) ? expression(one) : passed(one);
        }
        return -1;
      }
      if (isScript && callee.getText(file) === "Object.assign" && first && isExports(first)) return args.forEach((/** @type {any} */ one) => exportedAll(one)), -1;
      const harmless = ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression) && /^(Object|Array)$/.test(callee.expression.text) && KEYS_ONLY.has(callee.name.text);
      if (node.symbol && args[1] && ts.isStringLiteralLike(args[1])) useAt(args[1], variableOf(node.symbol), Role.Declaration); // Object.defineProperty(exports, "a", …)
      for (const one of args) harmless ? expression(one) : passed(one);
      return -1;
    }

    /** What a mock is given: `async (importOriginal) => ({ ...(await importOriginal()), a: b })`. */
    function mocked(/** @type {number} */ module, /** @type {any[]} */ given) {
      const [factory] = given;
      const asked = factory && ts.isFunctionLike(factory) ? /** @type {any} */ (factory.parameters[0]) : undefined;
      if (asked && ts.isIdentifier(asked.name)) originals.set(variableOf(asked.symbol), module);
      given.forEach(passed);
    }
    function module(/** @type {any} */ node) {
      if (ts.isStringLiteralLike(node)) return specifier(node);
      const isFound = ts.isCallExpression(node) && /^(?:require|import\.meta)\.resolve$/.test(node.expression.getText(file)) && ts.isStringLiteralLike(node.arguments[0]);
      if (isFound) {
        node.arguments.slice(1).forEach(passed);
        return module(node.arguments[0]);
      }
      const index = useText(node, textOf(node).replace(/\*{2,}/g, "*"));
      visit(node);
      return index;
    }
    /** A string of which some is computed: `*`. @returns {string} */
    function textOf(/** @type {any} */ node) {
      if (ts.isStringLiteralLike(node)) return node.text;
      if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map((/** @type {any} */ one) => one.literal.text)].join("*");
      if (ts.isBinaryExpression(node) && node.operatorToken.kind === K.PlusToken) return textOf(node.left) + textOf(node.right);
      return "*";
    }
    const globs = (/** @type {any} */ node) => {
      for (const one of ts.isArrayLiteralExpression(node) ? node.elements : [node]) if (ts.isStringLiteralLike(one)) leave(useText(one, one.text));
    };
    const useText = (/** @type {any} */ node, /** @type {string} */ text) => use(text, startOf(node), Owner.Unknown, Role.Specifier | Role.Pattern);

    /** @returns {number} */
    function binary(/** @type {any} */ node) {
      const operator = node.operatorToken.kind;
      if (operator === K.CommaToken) {
        const parts = [];
        let first = node;
        for (; ts.isBinaryExpression(first) && first.operatorToken.kind === K.CommaToken; first = first.left) parts.push(first.right);
        return parts.reverse().reduce((/** @type {number} */ _, one) => expression(one), expression(first));
      }
      if (operator !== K.EqualsToken) {
        const compares = (operator >= K.LessThanToken && operator <= K.ExclamationEqualsEqualsToken) || operator === K.InstanceOfKeyword || operator === K.InKeyword;
        // Chains of operators nest to the left, as deep as they are long.
        const chain = [];
        let left = node;
        for (; ts.isBinaryExpression(left) && left.operatorToken.kind !== K.EqualsToken; left = left.left) chain.push(left);
        compares ? expression(left) : passed(left);
        for (const one of chain.reverse()) compares ? expression(one.right) : passed(one.right);
        return -1;
      }
      // Of `module.exports = { a, b }` the binder makes no symbol.
      const isAll = isScript && ts.isObjectLiteralExpression(node.right) && internal.isModuleExportsAccessExpression(node.left);
      if (isAll || node.symbol?.escapedName === "export=") return assignedExports(node);
      if (!node.left.symbol && !node.symbol && ts.isPropertyAccessExpression(node.left) && isExportsVariable(node.left.expression)) return addedExport(node);
      const assignee = node.left.symbol ?? node.symbol;
      if (assignee) merge(assignee, node.right, false);
      if (ts.isObjectLiteralExpression(node.left)) return assigned(node.left, expression(node.right));
      if (ts.isArrayLiteralExpression(node.left)) return passed(node.right), elements(node.left), -1;
      accessed = -1;
      const left = expression(node.left);
      if (ts.isFunctionExpression(node.right) && accessed >= 0) assigning.set(node.right, { name: names[uses[accessed * 4]], owner: uses[accessed * 4 + 2] });
      const right = expression(otherThan(node.left, node.right));
      if (assignee && right >= 0) stand(variableOf(assignee), right, assignee.flags & F.Alias || isExportOf(node.left) ? "alias" : "value");
      else if (left >= 0 && !isFilled(node.left, node.right, right) && right >= 0) leave(right);
      // `exports = module.exports = a` and `const b = exports.a = c`; `const b = exports = {}` is what is exported.
      return right < 0 && isExports(node.left) ? left : right;
    }

    /** `exports.a`, `exports["a"]`: what that is assigned is exported, by any chain of names. */
    const isExportOf = (/** @type {any} */ node) => internal.isAccessExpression(node) && (isExports(node.expression) || isExportsVariable(node.expression));
    /** `api.a = b` where api is all that is exported: for an object that is not empty the binder makes no symbol of it. */
    function addedExport(/** @type {any} */ node) {
      const { name } = node.left;
      expression(node.left.expression);
      let variable = exported.get(name.text) ?? -1;
      const isNew = variable < 0;
      if (isNew) {
        variable = variables.push({ name: name.text, text: name.text, flags: F.Property, scope: "module", container: -1, declarations: [], start: startOf(name) }) - 1;
        exported.set(name.text, variable);
      }
      useAt(name, variable, Role.Value | (isNew ? Role.Declaration : 0));
      if (ts.isFunctionLike(node.right)) assigning.set(node.right, { name: "exports", owner: Owner.Free });
      const right = expression(node.right);
      if (isNew) stand(variable, right, "alias");
      else leave(right);
      return right;
    }

    /** Of `a = a || b` what a is given at first: its own name is no other value. */
    function otherThan(/** @type {any} */ name, /** @type {any} */ value) {
      const isLater = ts.isIdentifier(name) && ts.isBinaryExpression(value) && (value.operatorToken.kind === K.BarBarToken || value.operatorToken.kind === K.QuestionQuestionToken);
      if (!isLater || !ts.isIdentifier(value.left) || value.left.text !== name.text) return value;
      expression(value.left);
      return value.right;
    }
    /** `let a; before(() => (a = require("b")))`: whether a variable stands for the module now. One that is given two values stands for neither. */
    function isFilled(/** @type {any} */ name, /** @type {any} */ value, /** @type {number} */ right) {
      const owner = ts.isIdentifier(name) ? bound(name.escapedText, Role.Value) : Owner.Unknown;
      const before = filled.get(owner);
      if (before === undefined && (right < 0 || !(uses[right * 4 + 3] & Role.Specifier))) return false;
      if (before !== undefined && value.kind !== K.NullKeyword && value.text !== "undefined") {
        leave(before);
        delete variables[owner].target;
        delete variables[owner].stands;
      }
      const isOpen = owner >= 0 && before === undefined && declarationsOf(owner).every((/** @type {any} */ one) => ts.isVariableDeclaration(one) && (!one.initializer || one.initializer.kind === K.NullKeyword) && (!one.type || one.type.kind === K.AnyKeyword));
      if (isOpen) stand(owner, right, "alias"), filled.set(owner, right);
      return isOpen;
    }

    /** `[{ a }, b] = c`. */
    const elements = (/** @type {any} */ node) => {
      for (const one of node.elements) {
        if (ts.isObjectLiteralExpression(one)) assigned(one, -1);
        else if (ts.isArrayLiteralExpression(one)) elements(one);
        else visit(one);
      }
    };
    /** `({ a, b: c } = d)`. @returns {number} */
    function assigned(/** @type {any} */ node, /** @type {number} */ from) {
      for (const one of node.properties) {
        const key = one.name && (ts.isIdentifier(one.name) || ts.isStringLiteralLike(one.name)) ? one.name : undefined;
        if (key) useAt(key, member(from), Role.Value | Role.Key);
        else leave(from);
        if (ts.isShorthandPropertyAssignment(one)) {
          reference(one.name, Role.Value);
          if (one.objectAssignmentInitializer) passed(one.objectAssignmentInitializer);
        } else if (ts.isPropertyAssignment(one)) expression(one.initializer);
        else visit(one);
      }
      return from;
    }

    function stand(/** @type {number} */ variable, /** @type {number} */ target, /** @type {Variable["stands"]} */ stands) {
      if (variable < 0 || target < 0 || uses[target * 4 + 2] === variable) return;
      variables[variable].target = target;
      variables[variable].stands = uses[target * 4 + 3] & Role.Specifier && stands === "alias" ? "module" : stands;
    }

    /** `module.exports = { a, b: c }` exports a and b; `module.exports = a` is a. */
    function assignedExports(/** @type {any} */ node) {
      let value = node.right;
      while (ts.isBinaryExpression(value) && value.operatorToken.kind === K.EqualsToken) value = value.right;
      const whole = use("exports", node.left.getStart(file), Owner.Free, Role.Silent);
      if (!ts.isObjectLiteralExpression(value)) {
        merge(node.symbol, value, true);
        const own = variableOf(node.symbol);
        const name = nameInChain(ts, node);
        // `module.exports = a.B = class {}` has that name.
        const isCalled = name && !(name.parent.symbol && bySymbol.has(name.parent.symbol));
        if (isCalled && name.parent.symbol) bySymbol.set(name.parent.symbol, own);
        const right = expression(node.right);
        if (isCalled) called(own, name);
        stand(own, right, "alias");
        const isItself = right < 0 || uses[right * 4 + 2] === own; // a class
        if (isItself && !value.name && !isCalled) byDefault(node, own);
        return right < 0 ? whole : right;
      }
      exportedKeys(value, Boolean(ts.getJSDocType(node)));
      if (node.symbol) listed.add(node.symbol);
      return whole;
    }
    /** What is all of a module stands at the name that it is assigned to as well, which others may take of what that belongs to. */
    function called(/** @type {number} */ variable, /** @type {any} */ name) {
      const start = startOf(name);
      Object.assign(variables[variable], { text: name.text, start });
      for (let index = uses.length / 4 - 1; index >= 0; index--) {
        if (uses[index * 4 + 1] !== start || names[uses[index * 4]] !== name.text) continue;
        uses[index * 4 + 2] = variable;
        uses[index * 4 + 3] |= Role.Declaration | Role.Value;
        const { expression: of } = name.parent;
        const holder = ts.isIdentifier(of) ? bound(of.escapedText, Role.Value) : -1;
        if (holder >= 0) variables.push({ name: name.text, text: name.text, flags: F.Property, scope: "static", container: holder, declarations: [], start, target: index, stands: "alias" });
        return;
      }
    }
    /** `const api = { a }; module.exports = api` is as `const api = module.exports = { a }`. */
    function exportedObjectOf(/** @type {any} */ node) {
      const index = use("exports", node.initializer.getStart(file), Owner.Free, Role.Silent);
      exportedKeys(node.initializer, Boolean(ts.getJSDocType(node)));
      return index;
    }
    /** All of what is assigned to what is exported: `Object.assign(module.exports, a)`. */
    function exportedAll(/** @type {any} */ node) {
      if (ts.isObjectLiteralExpression(node)) return exportedKeys(node, false);
      const index = expression(node);
      if (index >= 0 && uses[index * 4 + 3] & Role.Specifier) stars.push(index);
      else if (!isExports(node)) leave(index);
    }
    /** isTyped: whether a type is written down, of which they are members. areGetters: whether they are functions that return what is exported. */
    function exportedKeys(/** @type {any} */ literal, /** @type {boolean} */ isTyped, areGetters = false) {
      for (const property of literal.properties) {
        if (ts.isSpreadAssignment(property)) {
          exportedAll(property.expression);
          continue;
        }
        const itsFunction = ts.isPropertyAssignment(property) ? property.initializer : property;
        if (ts.isFunctionLike(itsFunction)) assigning.set(itsFunction, { name: "exports", owner: Owner.Free });
        visit(property);
        if (!property.name || !(ts.isIdentifier(property.name) || ts.isStringLiteralLike(property.name))) continue;
        const variable = variableOf(/** @type {any} */ (property).symbol);
        if (!isTyped) Object.assign(variables[variable], { scope: "module", container: -1 });
        exported.set(property.name.text, variable);
        const value = ts.isShorthandPropertyAssignment(property) ? property.name : ts.isPropertyAssignment(property) ? property.initializer : undefined;
        const named = areGetters ? returned(itsFunction) : value;
        if (named && ts.isPropertyAccessExpression(named)) stand(variable, lastUse(named.name), "alias");
        else if (named && ts.isIdentifier(named)) stand(variable, lastUse(named), "alias");
      }
    }
    /** What a function of nothing but a return returns. */
    function returned(/** @type {any} */ node) {
      const { body } = node;
      return body && ts.isBlock(body) ? (body.statements.length === 1 && ts.isReturnStatement(body.statements[0]) ? body.statements[0].expression : undefined) : body;
    }
    /** The use that stands at a name that was just walked over. */
    function lastUse(/** @type {any} */ name) {
      const start = startOf(name);
      for (let index = uses.length / 4 - 1; index >= 0; index--) if (uses[index * 4 + 1] === start && !(uses[index * 4 + 3] & (Role.Declaration | Role.Key))) return index;
      return -1;
    }

    function shorthand(/** @type {any} */ node) {
      useAt(node.name, node.symbol ? variableOf(node.symbol) : Owner.Unknown, Role.Key | Role.Declaration);
      const index = reference(node.name, Role.Value);
      leave(index);
      if (node.objectAssignmentInitializer) passed(node.objectAssignmentInitializer);
      return index;
    }

    // ---- patterns

    /** The type that a comment gives to what a script declares. Its names are read with the comment. */
    const commented = (/** @type {any} */ node) => (isScript ? ts.getJSDocType(node) : undefined);
    /** The type of a variable: what has the type `typeof a` has the members of a. */
    function typed(/** @type {any} */ type) {
      if (ts.isTypeQueryNode(type) && !type.typeArguments) return typeQuery(type, false);
      if (ts.isImportTypeNode(type) && type.isTypeOf) return importType(type);
      visit(type);
      return -1;
    }
    /** `const [{ a }, b] = await Promise.all([c, d])`. */
    function list(/** @type {any} */ names, /** @type {any} */ value) {
      const inner = ts.isAwaitExpression(value) ? value.expression : value;
      const isAll = ts.isCallExpression(inner) && /^Promise\.(?:all|allSettled)$/.test(inner.expression.getText(file));
      const array = isAll ? inner.arguments[0] : inner;
      if (!array || !ts.isArrayLiteralExpression(array)) return passed(value), pattern(names, -1, false);
      if (isAll) expression(inner.expression);
      const values = array.elements.map((/** @type {any} */ one) => expression(one));
      const isSpread = array.elements.some(ts.isSpreadElement) || (isAll && /Settled$/.test(inner.expression.getText(file)));
      names.elements.forEach((/** @type {any} */ one, /** @type {number} */ at) => {
        if (ts.isOmittedExpression(one)) return;
        if (isSpread || one.dotDotDotToken) leave(values[at] ?? -1);
        element(one, isSpread || one.dotDotDotToken ? -1 : (values[at] ?? -1), false);
      });
    }
    function element(/** @type {any} */ node, /** @type {number} */ from, /** @type {boolean} */ isAlias) {
      binding(node, from, isAlias);
      if (node.initializer) passed(node.initializer);
    }

    /** What a name or a pattern declares, of the use `from` (or of nothing that names know). */
    function binding(/** @type {any} */ node, /** @type {number} */ from, /** @type {boolean} */ isAlias) {
      if (ts.isIdentifier(node.name)) {
        const variable = declare(node);
        stand(variable, from, isAlias && /** @type {any} */ (node).symbol?.flags & F.Alias ? "alias" : "value");
        declared(node, variable);
      } else if (node.name) pattern(node.name, from, isAlias);
    }
    function pattern(/** @type {any} */ node, /** @type {number} */ from, /** @type {boolean} */ isAlias) {
      for (const one of node.elements) {
        if (ts.isOmittedExpression(one)) continue;
        let inner = -1;
        if (ts.isObjectBindingPattern(node)) {
          const key = /** @type {any} */ (one.propertyName ?? one.name);
          const literal = ts.isComputedPropertyName(key) ? key.expression : key;
          if (one.dotDotDotToken) leave(from);
          else if (ts.isIdentifier(literal) ? literal === key : ts.isStringLiteralLike(literal)) inner = useAt(literal, member(from), Role.Value | (isAlias ? 0 : Role.Key));
          else if (ts.isComputedPropertyName(key)) passed(literal), leave(from);
        } else leave(from);
        element(one, inner, isAlias);
      }
    }

    // ---- declarations

    const KINDS = new Map([
      [K.ClassDeclaration, "Class"], [K.ClassExpression, "Class"], [K.InterfaceDeclaration, "Interface"], [K.TypeAliasDeclaration, "TypeAlias"],
      [K.EnumDeclaration, "Enum"], [K.EnumMember, "EnumMember"], [K.FunctionDeclaration, "Function"], [K.FunctionExpression, "Function"], [K.ModuleDeclaration, "Namespace"],
      [K.MethodDeclaration, "Method"], [K.MethodSignature, "Method"], [K.Constructor, "Constructor"], [K.ConstructSignature, "Constructor"],
      [K.PropertyDeclaration, "Property"], [K.PropertySignature, "Property"], [K.GetAccessor, "Accessor"], [K.SetAccessor, "Accessor"],
      [K.NamespaceImport, "Namespace"], [K.NamespaceExport, "Namespace"], [K.JSDocTypedefTag, "TypeAlias"], [K.JSDocCallbackTag, "TypeAlias"], [K.TypeParameter, "TypeAlias"],
    ]);
    function kindOf(/** @type {any} */ node) {
      if (ts.isVariableDeclaration(node) || ts.isBindingElement(node)) {
        if (node.initializer && (ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer))) return "Function";
        return ts.getCombinedNodeFlags(node) & ts.NodeFlags.Constant ? "Constant" : "Variable";
      }
      return KINDS.get(node.kind) ?? "Variable";
    }
    const isExported = (/** @type {any} */ node) => Boolean(ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) || Boolean(node.symbol?.parent && node.symbol.parent === file.symbol);

    function declared(/** @type {any} */ node, /** @type {number} */ variable) {
      if (variable < 0 || (depth > 0 && variables[variable].scope === "local")) return -1;
      const named = node.name ?? ts.getNameOfDeclaration(node);
      const whole = ts.isVariableDeclaration(node) && ts.isVariableDeclarationList(node.parent) && node.parent.declarations.length === 1 ? node.parent.parent : node;
      const [comment] = internal.getJSDocCommentRanges(whole, text)?.slice(-1) ?? [];
      const nameStart = named ? startOf(named) : variables[variable].start;
      const index = declarations.length;
      /** @type {Declaration} */
      const declaration = {
        name: variables[variable].text, kind: kindOf(node), variable,
        start: comment?.pos ?? whole.getStart(file), end: whole.end,
        nameStart, nameEnd: named ? named.end : nameStart, container: around, exported: isExported(node),
        ...(node.parent && ts.isTypeLiteralNode(node.parent) && { scope: node.parent.end }),
      };
      declarations.push(declaration);
      variables[variable].declarations.push(index);
      return index;
    }

    function within(/** @type {any} */ node, /** @type {number} */ index, /** @type {() => void} */ walk) {
      const before = around;
      if (index >= 0) around = index;
      walk();
      around = before;
    }

    /** modules: those that its parameters are given, uses. */
    function functionLike(/** @type {any} */ node, /** @type {number[]} */ modules = []) {
      const variable = named(node) || ts.isFunctionDeclaration(node) ? declare(node) : node.symbol && ts.isConstructorDeclaration(node) ? variableOf(/** @type {any} */ (node).symbol) : -1;
      const index = ts.isFunctionExpression(node) || ts.isArrowFunction(node) ? -1 : declared(node, variable);
      const isStatic = ts.isClassLike(node.parent) && (node.modifiers?.some((/** @type {any} */ one) => one.kind === K.StaticKeyword) || ts.isClassStaticBlockDeclaration(node));
      if (!ts.isArrowFunction(node)) receivers.push(isStatic ? itself(variableOf(/** @type {any} */ (node).parent.symbol)) : assigning.get(node));
      depth++;
      node.modifiers?.forEach(visit);
      node.typeParameters?.forEach(visit);
      node.parameters?.forEach((/** @type {any} */ one, /** @type {number} */ at) => {
        one.modifiers?.forEach(visit);
        if (!one.name) return void (one.type && visit(one.type)); // `function(A): B` of a comment
        // `constructor(private a)` declares a member as well, of the same name.
        if (ts.isParameterPropertyDeclaration(one, one.parent)) within(one, index, () => void (depth--, declared(one, parameterProperty(one)), depth++));
        binding(one, one.type ? typed(one.type) : commented(one) ? -1 : (modules[at] ?? -1), false);
        if (one.initializer) declaring(Boolean(one.type), () => passed(one.initializer));
      });
      if (node.type) visit(node.type);
      const isWritten = Boolean(node.type) || (isDeclared && (ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isObjectLiteralExpression(node.parent)));
      returns.push(isWritten);
      within(node, index, () => node.body && (ts.isBlock(node.body) ? visit(node.body) : declaring(isWritten, () => passed(node.body))));
      returns.pop();
      depth--;
      if (!ts.isArrowFunction(node)) receivers.pop();
    }
    const named = (/** @type {any} */ node) => node.name && !ts.isArrowFunction(node);
    const parameterProperty = (/** @type {any} */ node) => {
      const symbol = node.parent.parent.symbol?.members?.get(node.name.escapedText);
      return symbol ? variableOf(symbol) : -1;
    };

    function classLike(/** @type {any} */ node) {
      const variable = declare(node);
      const index = declared(node, node.symbol ? variableOf(node.localSymbol ?? node.symbol) : variable);
      const own = node.symbol ? variableOf(node.localSymbol ?? node.symbol) : -1;
      node.modifiers?.forEach(visit);
      node.typeParameters?.forEach(visit);
      for (const clause of node.heritageClauses ?? []) {
        const isBase = clause.token === K.ExtendsKeyword;
        for (const one of clause.types) {
          const base = isBase && !ts.isInterfaceDeclaration(node) ? expression(one.expression) : entity(one.expression, Role.Type);
          if (isBase && !ts.isInterfaceDeclaration(node)) mark(base, Role.Type);
          if (own >= 0 && base >= 0) {
            heritage.push({ variable: own, use: base, kind: isBase ? "extends" : "implements" });
            if (isBase && !ts.isInterfaceDeclaration(node)) variables[own].base = base;
          }
          one.typeArguments?.forEach(visit);
        }
      }
      const outer = depth;
      within(node, index, () => node.members.forEach(visit));
      depth = outer;
    }

    function memberProperty(/** @type {any} */ node) {
      const variable = declare(node, Role.Key);
      const index = declared(node, variable);
      node.modifiers?.forEach(visit);
      if (node.type) within(node, index, () => visit(node.type));
      const isStatic = ts.isClassLike(node.parent) && node.modifiers?.some((/** @type {any} */ one) => one.kind === K.StaticKeyword);
      if (!node.initializer) return;
      receivers.push(isStatic ? itself(variableOf(node.parent.symbol)) : undefined);
      depth++;
      declaring(Boolean(node.type), () => passed(node.initializer));
      depth--;
      receivers.pop();
    }

    // ---- imports and exports

    function importClause(/** @type {any} */ clause, /** @type {number} */ from) {
      const meaning = Role.Alias | Role.Value | Role.Type | Role.Namespace;
      if (clause.name) {
        const target = use("default", startOf(clause.name), member(from), meaning | Role.Silent);
        stand(declare(clause, meaning), target, "alias");
      }
      const bindings = clause.namedBindings;
      if (bindings && ts.isNamespaceImport(bindings)) {
        const variable = declare(bindings);
        stand(variable, from, "module");
        declared(bindings, variable);
      } else for (const one of bindings?.elements ?? []) specified(one, member(from), meaning);
    }
    /** One name of `import { a as b } from`, `export { a as b }`. */
    function specified(/** @type {any} */ node, /** @type {number | undefined} */ owner, /** @type {number} */ roles) {
      const source = node.propertyName ?? node.name;
      const from = owner ?? bound(source.escapedText ?? ts.escapeLeadingUnderscores(source.text), Role.Value | Role.Type | Role.Namespace);
      const target = useAt(source, from, roles);
      const variable = node.symbol ? variableOf(node.symbol) : -1;
      if (variable < 0) return;
      useAt(node.name, variable, Role.Declaration | roles);
      stand(variable, target, "alias");
    }

    function exportDeclaration(/** @type {any} */ node) {
      const from = node.moduleSpecifier ? specifier(node.moduleSpecifier) : -1;
      const clause = node.exportClause;
      const block = node.parent;
      if (!clause && ts.isModuleBlock(block)) {
        const holder = variableOf(/** @type {any} */ (block.parent).symbol);
        ambientStars.set(holder, [...(ambientStars.get(holder) ?? []), from]);
      } else if (!clause) stars.push(from);
      else if (ts.isNamespaceExport(clause)) {
        const variable = declare(clause);
        stand(variable, from, "module");
        declared(clause, variable);
      } else for (const one of clause.elements) specified(one, node.moduleSpecifier ? member(from) : undefined, Role.Alias | Role.Value | Role.Type | Role.Namespace);
    }

    function moduleDeclaration(/** @type {any} */ node) {
      const variable = variableOf(node.localSymbol ?? node.symbol);
      if (ts.isStringLiteral(node.name)) {
        ambients.push(variable);
        specifiers.set(variable, specifier(node.name, Role.Declaration));
      } else if (node.flags & ts.NodeFlags.GlobalAugmentation) ambients.push(variable);
      else declare(node);
      const index = declared(node, variable);
      node.modifiers?.forEach(visit);
      if (!ts.isStringLiteral(node.name)) namespaces.push(node.symbol);
      within(node, index, () => node.body && visit(node.body));
      if (!ts.isStringLiteral(node.name)) namespaces.pop();
    }

    // ---- the walk

    // Here what is written down around no longer counts.
    const OWN = new Set([K.Block, K.ClassDeclaration, K.ClassExpression, K.NewExpression, K.TaggedTemplateExpression, K.JsxElement, K.JsxSelfClosingElement, K.JsxFragment]);
    const visit = (/** @type {any} */ node) => scope(node, () => (isDeclared && OWN.has(node.kind) ? declaring(false, () => statement(node)) : statement(node)));
    function scope(/** @type {any} */ node, /** @type {() => void} */ walk) {
      const isScope = node.locals || ts.isClassLike(node) || ts.isInterfaceDeclaration(node) || ts.isModuleDeclaration(node) || ts.isEnumDeclaration(node) || ts.isFunctionExpression(node);
      if (isScope) scopes.push(node);
      for (const one of node.jsDoc ?? []) visit(one);
      walk();
      if (isScope) scopes.pop();
    }
    // The word of a tag, `@returns`, names nothing.
    const children = (/** @type {any} */ node) => void ts.forEachChild(node, (one) => void (one !== node.tagName && visit(one)));

    function statement(/** @type {any} */ node) {
      switch (node.kind) {
        case K.Identifier: case K.PropertyAccessExpression: case K.ElementAccessExpression: case K.ParenthesizedExpression: case K.NonNullExpression:
        case K.SatisfiesExpression: case K.CallExpression: case K.BinaryExpression: case K.ThisKeyword: case K.SuperKeyword: case K.AwaitExpression: {
          const index = expression(node);
          if (!isHarmless(node.parent, node)) leave(index);
          return;
        }
        case K.PrivateIdentifier: case K.MetaProperty:
          return;
        case K.BreakStatement: case K.ContinueStatement: {
          const variable = node.label && labels.findLast((one) => variables[one].name === node.label.text);
          return void (variable !== undefined && useAt(node.label, variable, Role.Value));
        }
        case K.ReturnStatement:
          return node.expression && declaring(returns[returns.length - 1] ?? false, () => visit(node.expression));
        case K.AsExpression: case K.TypeAssertionExpression:
          declaring(isDeclared || !ts.isConstTypeReference(node.type), () => visit(node.expression));
          return visit(node.type);
        case K.LabeledStatement: {
          // The binder knows no labels.
          const { text: name } = node.label;
          const variable = variables.push({ name, text: name, flags: 0, scope: "local", container: -1, declarations: [], start: startOf(node.label) }) - 1;
          useAt(node.label, variable, Role.Declaration);
          labels.push(variable);
          visit(node.statement);
          return void labels.pop();
        }
        case K.ImportDeclaration: case K.JSDocImportTag: {
          const from = node.moduleSpecifier && ts.isStringLiteralLike(node.moduleSpecifier) ? specifier(node.moduleSpecifier) : -1;
          if (node.importClause) importClause(node.importClause, from);
          return;
        }
        case K.ImportEqualsDeclaration: {
          const referred = node.moduleReference;
          const isModule = ts.isExternalModuleReference(referred);
          const target = isModule ? module(referred.expression) : entity(referred, Role.Value | Role.Type | Role.Namespace);
          stand(declare(node, Role.Alias), target, "alias");
          return;
        }
        case K.ExportDeclaration:
          return exportDeclaration(node);
        case K.ExportAssignment: {
          const isName = internal.isEntityNameExpression(node.expression);
          if (node.isExportEquals) merge(node.symbol, node.expression, true);
          const before = uses.length / 4;
          const target = isName ? entityExpression(node.expression) : expression(node.expression);
          if (!isName) for (const start of branches(node.expression)) for (let at = before; at < uses.length / 4; at++) if (uses[at * 4 + 1] === start) mark(at, Role.Branch);
          if (!node.symbol) return;
          const variable = variableOf(node.symbol);
          stand(variable, target, isName ? "alias" : "value");
          if (!isName && variables[variable].text === variables[variable].name) byDefault(node, variable), declared(node, variable);
          // Of `a.b` names do not know yet whether they tell what it is.
          if (isName && !ts.isIdentifier(node.expression)) byDefault(node, variable, Role.Declaration | Role.Silent);
          return;
        }
        case K.NamespaceExportDeclaration:
          if (node.symbol) variables[declare(node)].stands = "umd"; // none in a source, where it is an error
          return;
        case K.ModuleDeclaration:
          return moduleDeclaration(node);
        case K.ClassDeclaration: case K.ClassExpression: case K.InterfaceDeclaration:
          return classLike(node);
        case K.EnumDeclaration: {
          const index = declared(node, declare(node));
          return within(node, index, () => node.members.forEach(visit));
        }
        case K.EnumMember:
          declared(node, declare(node));
          return void (node.initializer && expression(node.initializer));
        case K.TypeAliasDeclaration: {
          const index = declared(node, declare(node));
          node.typeParameters?.forEach(visit);
          return within(node, index, () => visit(node.type));
        }
        case K.TypeParameter:
          declare(node);
          return void [node.constraint, node.default].forEach((one) => one && visit(one));
        case K.FunctionDeclaration: case K.FunctionExpression: case K.ArrowFunction: case K.MethodDeclaration: case K.Constructor: case K.GetAccessor: case K.SetAccessor:
        case K.ClassStaticBlockDeclaration: case K.MethodSignature: case K.CallSignature: case K.ConstructSignature: case K.FunctionType: case K.ConstructorType: case K.IndexSignature: case K.JSDocFunctionType:
          return functionLike(node);
        case K.PropertyDeclaration: case K.PropertySignature:
          return memberProperty(node);
        case K.PropertyAssignment:
          declare(node, Role.Key);
          return passed(node.initializer);
        case K.ShorthandPropertyAssignment:
          return void shorthand(node);
        case K.VariableDeclaration: case K.Parameter: {
          const { symbol } = /** @type {any} */ (node);
          if (node.initializer && symbol) merge(symbol, node.initializer, false);
          const required = isScript && node.initializer && internal.isVariableDeclarationInitializedToBareOrAccessedRequire(node);
          const type = node.type ?? commented(node);
          if (!type && node.initializer && ts.isArrayBindingPattern(node.name)) return list(node.name, node.initializer);
          const from = node === exportsVariable ? exportedObjectOf(node) : node.initializer ? declaring(Boolean(type), () => expression(node.initializer)) : -1;
          const isModule = from >= 0 && uses[from * 4 + 3] & Role.Specifier && type?.kind === K.AnyKeyword;
          binding(node, !type || isModule ? from : node.type ? typed(node.type) : -1, required);
          return;
        }
        case K.TypeReference:
          entity(node.typeName, Role.Type);
          return void node.typeArguments?.forEach(visit);
        case K.TypeQuery:
          typeQuery(node, node.parent.kind !== K.TypeOperator);
          return;
        case K.IndexedAccessType: {
          let object = node.objectType;
          while (ts.isParenthesizedTypeNode(object)) object = object.type;
          const key = ts.isLiteralTypeNode(node.indexType) && ts.isStringLiteral(node.indexType.literal) ? node.indexType.literal : undefined;
          if (!key) return children(node);
          const holder = typed(object);
          useAt(key, member(holder), Role.Value | Role.Namespace);
          return;
        }
        case K.ImportType: {
          const index = importType(node);
          // In a comment, `import("a")` is what `typeof import("a")` is.
          const isTypeOf = node.isTypeOf || (!node.qualifier && node.flags & ts.NodeFlags.JSDoc);
          if (isTypeOf && node.parent.kind !== K.TypeOperator) leave(index);
          return;
        }
        case K.ExpressionWithTypeArguments:
          expression(node.expression);
          return void node.typeArguments?.forEach(visit);
        case K.TypePredicate:
          if (ts.isIdentifier(node.parameterName)) reference(node.parameterName, Role.Value);
          return void (node.type && visit(node.type));
        case K.NamedTupleMember:
          return visit(node.type);
        case K.JsxOpeningElement: case K.JsxSelfClosingElement: case K.JsxClosingElement:
          tag(node.tagName);
          node.typeArguments?.forEach(visit);
          return void (node.attributes && visit(node.attributes));
        case K.JsxAttribute:
          if (ts.isIdentifier(node.name)) useAt(node.name, Owner.Unknown, Role.Key);
          return void (node.initializer && visit(node.initializer));
        case K.JSDocTypedefTag: case K.JSDocCallbackTag: {
          const own = node.name && node.symbol ? declare(node) : -1;
          const index = declared(node, own);
          // `@typedef {A} NS.B`: what the namespace declares is in scope.
          const around = scopes.length;
          for (let at = node.fullName; at && ts.isModuleDeclaration(at); at = /** @type {any} */ (at).body) scopes.push(at);
          within(node, index, () => node.typeExpression && visit(node.typeExpression));
          scopes.length = around;
          return;
        }
        case K.JSDocParameterTag: case K.JSDocPropertyTag:
          if (node.typeExpression) visit(node.typeExpression);
          if (node.kind === K.JSDocParameterTag) parameterTag(node);
          return comment(node);
        case K.JSDocLink: case K.JSDocLinkCode: case K.JSDocLinkPlain: case K.JSDocNameReference:
          return void (node.name && entity(node.name, Role.Value | Role.Type | Role.Namespace));
        default:
          return children(node);
      }
    }
    const comment = (/** @type {any} */ node) => Array.isArray(node.comment) && node.comment.forEach(visit);
    function parameterTag(/** @type {any} */ node) {
      let { name } = node;
      while (ts.isQualifiedName(name)) name = name.left; // `@param options.name`
      const host = name === node.name ? undefined : internal.getHostSignatureFromJSDoc(node);
      const parameter = host?.parameters.find((/** @type {any} */ one) => one.name.escapedText === name.escapedText);
      const symbol = parameter?.symbol ?? (name === node.name && internal.getParameterSymbolFromJSDoc(node));
      if (symbol) useAt(name, variableOf(symbol), Role.Value);
    }
    /** `export default a.b`: a value, a type and a namespace at once. */
    function entityExpression(/** @type {any} */ node) {
      if (ts.isIdentifier(node)) return reference(node, Role.Value | Role.Type | Role.Namespace);
      return expression(node);
    }
    function typeQuery(/** @type {any} */ node, /** @type {boolean} */ leaves) {
      const index = ts.isImportTypeNode(node.exprName) ? importType(node.exprName) : entity(node.exprName, Role.Value);
      if (leaves) leave(index);
      node.typeArguments?.forEach(visit);
      return index;
    }
    function importType(/** @type {any} */ node) {
      const literal = ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal) ? node.argument.literal : undefined;
      let index = literal ? specifier(literal) : -1;
      const parts = [];
      for (let name = node.qualifier; name; name = ts.isQualifiedName(name) ? name.left : undefined) parts.unshift(ts.isQualifiedName(name) ? name.right : name);
      parts.forEach((name, at) => (index = useAt(name, member(index), at < parts.length - 1 ? Role.Namespace : node.isTypeOf ? Role.Value : Role.Type)));
      node.typeArguments?.forEach(visit);
      return index;
    }
    function tag(/** @type {any} */ node) {
      if (ts.isIdentifier(node) && internal.isIntrinsicJsxName(node.text)) return;
      if (!ts.isJsxNamespacedName(node)) expression(node);
    }
    function isHarmless(/** @type {any} */ parent, /** @type {any} */ node) {
      switch (parent.kind) {
        case K.ExpressionStatement: case K.Decorator: case K.TypeOfExpression: case K.DeleteExpression: case K.VoidExpression: case K.PrefixUnaryExpression: case K.PostfixUnaryExpression:
        case K.ExpressionWithTypeArguments: case K.IfStatement: case K.WhileStatement: case K.DoStatement:
          return true;
        case K.NewExpression: case K.CallExpression: case K.TaggedTemplateExpression:
          return (parent.expression ?? parent.tag) === node;
        case K.ConditionalExpression:
          return parent.condition === node;
        default:
          return false;
      }
    }

    /** A JSON module exports what its object holds. */
    function values() {
      const value = file.statements[0]?.expression;
      for (const one of value && ts.isObjectLiteralExpression(value) ? value.properties : []) {
        if (!one.name || !ts.isStringLiteral(one.name) || exported.has(one.name.text)) continue;
        const { text } = one.name;
        const variable = variables.push({ name: text, text, flags: F.Property, scope: "module", container: -1, declarations: [], start: startOf(one.name) }) - 1;
        exported.set(text, variable);
        useAt(one.name, variable, Role.Declaration | Role.Value);
        declared(one, variable);
      }
      file.externalModuleIndicator = file;
    }

    if (internal.isJsonSourceFile(file)) values();
    else {
      scopes.push(file);
      for (const one of file.typeReferenceDirectives) use(one.fileName, one.pos, Owner.Unknown, Role.Specifier);
      ts.forEachChild(file, visit);
      for (const symbol of file.symbol?.exports?.values() ?? []) {
        if (symbol.escapedName !== "__export" && !listed.has(symbol) && !exported.has(plain(symbol))) exported.set(plain(symbol), variableOf(symbol));
      }
    }
    const usages = usagesIn(ts, file);
    for (let index = 0; index < uses.length; index += 4) uses[index + 3] |= usages.get(uses[index + 1]) ?? 0;
    const members = new Map();
    variables.forEach((one, index) => one.scope === "static" && members.set(`${one.container}.${one.name}`, index));
    return {
      isModule: Boolean(file.externalModuleIndicator || file.commonJsModuleIndicator), isCommonJs: Boolean(file.commonJsModuleIndicator), names, uses: Int32Array.from(uses), variables, declarations, exports: exported, stars, ambientStars,
      members, ambients, specifiers, inside, heritage, lines: linesOf(text), errors: file.parseDiagnostics.length,
    };
  }
}
