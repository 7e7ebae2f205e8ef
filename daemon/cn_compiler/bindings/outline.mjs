// What a text declares, read from its syntax tree: the rows of its outline.

import { isRequired, nameInChain } from "./usage.mjs";

/**
 * @typedef {"Class" | "Interface" | "TypeAlias" | "Enum" | "EnumMember" | "Function" | "Variable" | "Constant" | "Method" | "Constructor" | "Property" | "Accessor" | "Namespace" | "Module"} Kind
 *
 * Offsets are UTF-16 units.
 * @typedef {object} Row
 * @property {number} index
 * @property {number} container index of the row that holds it, -1: none
 * @property {Kind} kind
 * @property {string} name as it is written, without quotes
 * @property {number} start
 * @property {number} end
 * @property {number} nameStart
 * @property {number} nameEnd
 * @property {boolean} exported by its own name or as all that importers take: declared with `export`, listed, or assigned
 * @property {boolean} [reexport] its value or its type is only named: `exports.a = b.a`, `type A = B.A`
 * @property {boolean} [static]
 * @property {boolean} [local] in the body of a function, in a block, or in a value that has no name
 * @property {boolean} [apart] it stands outside its container: `A.prototype.b = …`
 * @property {number} head where the body begins, or the value, if it is no part of what is shown on one line
 * @property {number} [scope] of a local, where the block, function, pattern or literal ends in which its name is known; of a member of a type literal, where that ends
 * @property {[number, number]} [statement] of a variable, the statement that declares it
 */

/**
 * What holds the declarations that are read next. isLocal: whether they are.
 * @typedef {{ row: Row | undefined, isLocal: boolean }} Holder
 */

/** Of so many keys of one name, that belong to values without one, are rows made: generated data holds millions. */
const MOST = 5000;

/**
 * @param {typeof import("typescript")} ts
 * @param {import("typescript").SourceFile} file its nodes know their parents
 * @returns {Row[]} a container before what it holds
 */
export function outline(ts, file) {
  const K = ts.SyntaxKind;
  const isScript = Boolean(file.flags & ts.NodeFlags.JavaScriptFile);
  /** @type {Row[]} */
  const rows = [];
  /** @type {Map<string, number>} */
  const keys = new Map();

  /** @typedef {import("typescript").Node} Node */
  /** @typedef {import("typescript").Expression} Expression */
  /** @typedef {import("typescript").SignatureDeclaration & { body?: Node }} FunctionLike */

  /**
   * @param {Kind} kind
   * @param {{ start: number, end: number } | Node | undefined} name
   * @param {Node | { start: number, end: number }} whole
   * @param {Holder} holder
   * @param {Partial<Row>} [more]
   * @returns {Row | undefined} nothing: it has no name
   */
  function add(kind, name, whole, holder, more) {
    if (!name) return undefined;
    const [nameStart, nameEnd] = spanOf(name);
    const written = unquoted(file.text.slice(nameStart, nameEnd));
    if (!written) return undefined;
    if (kind === "Property" && holder.isLocal) {
      const count = (keys.get(written) ?? 0) + 1;
      if (count > MOST) return undefined;
      keys.set(written, count);
    }
    const [start, end] = spanOf(whole);
    const row = { index: rows.length, container: holder.row?.index ?? -1, kind, name: written, start, end, nameStart, nameEnd, exported: false, head: kind === "TypeAlias" || !isNode(whole) ? end : headOf(whole), ...(holder.isLocal && { local: true }), ...scopeOf(whole, holder), ...more };
    rows.push(row);
    return row;
  }
  /** Without parentheses and what is said of its type. */
  function bare(/** @type {Expression} */ node) {
    while (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isTypeAssertionExpression(node) || ts.isNonNullExpression(node)) node = node.expression;
    return node;
  }
  /** Where `a.b["c"].d` begins. */
  function leftmost(/** @type {Expression} */ node) {
    while (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) node = node.expression;
    return node;
  }
  const spanOf = (/** @type {any} */ one) => (isNode(one) ? [one.getStart(file), one.end] : [one.start, one.end]);
  const isNode = (/** @type {any} */ one) => /** @type {Node | undefined} */ (one.kind !== undefined && one);

  /** Where a declaration stops to be shown on one line. @returns {number} */
  function headOf(/** @type {any} */ node) {
    const given = node.right ?? node.initializer;
    const own = given && bare(chain(given).value);
    if (node.members) return node.members.pos - 1;
    if (node.body) return node.body.name ? headOf(node.body) : node.body.getStart(file);
    if (own && ts.isArrowFunction(own)) return own.equalsGreaterThanToken.getStart(file);
    if (own && ts.isFunctionExpression(own)) return own.body.getStart(file);
    if (!given || ts.isPropertyAssignment(node) || ts.isEnumMember(node)) return node.end;
    const isLong = node.type || file.text.slice(node.getStart(file), node.end).includes("\n");
    return isLong ? file.text.lastIndexOf("=", given.getStart(file)) : node.end;
  }
  function scopeOf(/** @type {any} */ node, /** @type {Holder} */ { row, isLocal }) {
    if (!isLocal || !isNode(node) || CONTAINERS.has(row?.kind ?? "")) return {};
    const list = ts.isVariableDeclaration(node) || ts.isBindingElement(node) ? ts.walkUpBindingElementsAndPatterns(/** @type {any} */ (node)).parent : undefined;
    const isVar = list && ts.isVariableDeclarationList(list) && !(list.flags & ts.NodeFlags.BlockScoped);
    let around = node.parent;
    while (!(ts.isFunctionLike(around) || ts.isSourceFile(around) || ts.isModuleBlock(around) || (!isVar && isScope(around)))) around = around.parent;
    return { scope: around.end };
  }
  const isScope = (/** @type {Node} */ node) =>
    ts.isBlock(node) || ts.isCaseBlock(node) || ts.isCatchClause(node) || ts.isIterationStatement(node, false) || ts.isObjectLiteralExpression(node) || ts.isTypeLiteralNode(node) || ts.isClassLike(node) || ts.isInterfaceDeclaration(node) || ts.isEnumDeclaration(node);

  const has = (/** @type {any} */ node, /** @type {import("typescript").SyntaxKind} */ word) => Boolean(node.modifiers?.some((/** @type {Node} */ one) => one.kind === word));
  const inside = (/** @type {Row | undefined} */ row, /** @type {Holder} */ holder) => (row ? { row, isLocal: Boolean(row.local) } : { ...holder, isLocal: true });
  const local = (/** @type {Holder} */ holder) => (holder.isLocal ? holder : { ...holder, isLocal: true });
  /** What is passed, returned or computed: what it declares is local. */
  const below = (/** @type {Node | undefined} */ node, /** @type {Holder} */ holder) => {
    if (node) ts.forEachChild(node, (child) => walk(child, local(holder)));
  };

  function walk(/** @type {Node} */ node, /** @type {Holder} */ holder) {
    switch (node.kind) {
      case K.ImportDeclaration:
      case K.ImportEqualsDeclaration:
        return;
      case K.ExportDeclaration: {
        const { exportClause, moduleSpecifier } = /** @type {import("typescript").ExportDeclaration} */ (node);
        if (node.parent !== file || moduleSpecifier || !exportClause || !ts.isNamedExports(exportClause)) return;
        for (const { name, propertyName = name } of exportClause.elements) if (name.text === "default" || name.text === propertyName.text) listed.add(propertyName.text);
        return;
      }
      case K.VariableStatement: {
        const { declarationList: list } = /** @type {import("typescript").VariableStatement} */ (node);
        for (const one of list.declarations) variable(one, list, holder, { exported: has(node, K.ExportKeyword), statement: [node.getStart(file), list.end] });
        return;
      }
      case K.VariableDeclarationList: {
        const list = /** @type {import("typescript").VariableDeclarationList} */ (node);
        for (const one of list.declarations) variable(one, list, local(holder), { statement: [node.getStart(file), list.end] });
        return;
      }
      case K.VariableDeclaration: // of a `catch`
      case K.BindingElement: // of a parameter
        return pattern(/** @type {import("typescript").VariableDeclaration | import("typescript").BindingElement} */ (node), "Variable", local(holder), {});
      case K.FunctionDeclaration: {
        const own = /** @type {import("typescript").FunctionDeclaration} */ (node);
        body(own, add("Function", own.name ?? defaultOf(own), own, holder, exportedIn(own)), holder);
        return;
      }
      case K.ClassDeclaration:
      case K.ClassExpression: {
        const own = /** @type {import("typescript").ClassLikeDeclaration} */ (node);
        members(own, inside(add("Class", own.name ?? defaultOf(own), own, own.kind === K.ClassDeclaration ? holder : local(holder), exportedIn(own)), holder));
        return;
      }
      case K.FunctionExpression:
      case K.ArrowFunction: {
        const own = /** @type {FunctionLike} */ (node);
        body(own, add("Function", own.name, own, local(holder)), holder);
        return;
      }
      case K.InterfaceDeclaration: {
        const own = /** @type {import("typescript").InterfaceDeclaration} */ (node);
        const inner = inside(add("Interface", own.name, own, holder, exportedIn(own)), holder);
        for (const one of own.members) literal(one, inner);
        return;
      }
      case K.TypeAliasDeclaration: {
        const own = /** @type {import("typescript").TypeAliasDeclaration} */ (node);
        literal(own.type, inside(add("TypeAlias", own.name, own, holder, { ...exportedIn(own), ...(isOther(own.type, own.name.text) && { reexport: true }) }), holder));
        return;
      }
      case K.EnumDeclaration: {
        const own = /** @type {import("typescript").EnumDeclaration} */ (node);
        const inner = inside(add("Enum", own.name, own, holder, exportedIn(own)), holder);
        for (const one of own.members) if (one.name.kind !== K.ComputedPropertyName) add("EnumMember", one.name, one, inner);
        return;
      }
      case K.ModuleDeclaration:
        return namespace(/** @type {import("typescript").ModuleDeclaration} */ (node), node, holder, exportedIn(node));
      case K.ExportAssignment: {
        const { expression, isExportEquals } = /** @type {import("typescript").ExportAssignment} */ (node);
        const own = bare(expression);
        if (ts.isIdentifier(own)) listed.add(own.text);
        const word = node.getChildren(file).find(({ kind }) => kind === (isExportEquals ? K.ExportKeyword : K.DefaultKeyword));
        const kind = unnamed(own);
        if (kind) value(expression, add(kind, word, node, holder, DEFAULT), holder);
        else if (!isExportEquals && ts.isObjectLiteralExpression(own)) properties(own, holder);
        else walk(own, local(holder));
        return;
      }
      case K.ExpressionStatement:
        if (isScript && node.parent === file) {
          const { expression } = /** @type {import("typescript").ExpressionStatement} */ (node);
          if (chain(expression).targets.length) return void assignments.push(expression);
        }
        return below(node, holder);
      case K.ObjectLiteralExpression:
        return properties(/** @type {import("typescript").ObjectLiteralExpression} */ (node), local(holder));
      case K.PropertySignature:
      case K.MethodSignature:
        return void signature(/** @type {any} */ (node), local(holder));
      case K.BinaryExpression:
      case K.CallExpression:
      case K.PropertyAccessExpression:
        return spine(/** @type {Expression} */ (node), local(holder));
      default:
        below(node, holder);
    }
  }

  /** `a + b + …` and `a.b().c()…` nest as often as they go on, to the left: too deep to be followed call by call. */
  function spine(/** @type {Expression} */ node, /** @type {Holder} */ holder) {
    /** @type {Node[][]} */
    const behind = [];
    for (;;) {
      if (ts.isBinaryExpression(node)) behind.push([node.right]);
      else if (ts.isCallExpression(node)) behind.push([...(node.typeArguments ?? []), ...node.arguments]);
      else if (!ts.isPropertyAccessExpression(node)) break;
      node = ts.isBinaryExpression(node) ? node.left : node.expression;
    }
    walk(node, holder);
    for (const nodes of behind.reverse()) for (const one of nodes) walk(one, holder);
  }

  /** The kind of a function or a class that has no name. @returns {Kind | undefined} */
  function unnamed(/** @type {Expression} */ node) {
    if (ts.isArrowFunction(node)) return "Function";
    return (ts.isFunctionExpression(node) || ts.isClassExpression(node)) && !node.name ? (ts.isClassExpression(node) ? "Class" : "Function") : undefined;
  }
  /** Whether a value or a type is something of that name which is declared elsewhere, or all of a module. */
  function isOther(/** @type {Node | undefined} */ node, /** @type {string} */ name) {
    if (!node) return false;
    if (ts.isTypeNode(node)) {
      const named = ts.isTypeReferenceNode(node) ? node.typeName : ts.isImportTypeNode(node) ? node.qualifier : undefined;
      return named !== undefined && (ts.isIdentifier(named) ? named : named.right).text === name;
    }
    const own = bare(/** @type {Expression} */ (node));
    const first = leftmost(own);
    const isModule = /** @type {any} */ (ts).isRequireCall(first, true);
    return own === first ? isModule : ts.isPropertyAccessExpression(own) && own.name.text === name && (isModule || ts.isIdentifier(first));
  }

  /** Whether a pattern takes a part of something by its own name: `const { a } = b`. */
  function isSameName(/** @type {import("typescript").BindingElement} */ { parent, propertyName, dotDotDotToken }) {
    const given = ts.isObjectBindingPattern(parent) && parent.parent.initializer;
    return Boolean(given) && !propertyName && !dotDotDotToken && ts.isIdentifier(leftmost(bare(/** @type {Expression} */ (given))));
  }

  const defaultOf = (/** @type {any} */ node) => node.modifiers?.find((/** @type {Node} */ one) => one.kind === K.DefaultKeyword);
  const exportedIn = (/** @type {any} */ node) => ({ exported: has(node, K.ExportKeyword) });

  /** What the body of a function declares. row: that of the function. */
  function body(/** @type {FunctionLike} */ node, /** @type {Row | undefined} */ row, /** @type {Holder} */ holder) {
    const within = { row: row ?? holder.row, isLocal: true };
    if (node.body && node.body.kind !== K.Block) walk(node.body, within);
    else below(node.body, within);
  }

  function variable(/** @type {import("typescript").VariableDeclaration} */ node, /** @type {import("typescript").VariableDeclarationList} */ list, /** @type {Holder} */ holder, /** @type {Partial<Row>} */ how) {
    const kind = list.flags & (ts.NodeFlags.Const | ts.NodeFlags.Using) ? "Constant" : "Variable";
    if (isScript && !how.exported && imports(node)) {
      // What a pattern takes of a part of a module is a variable.
      for (const one of ts.isIdentifier(node.name) ? [] : node.name.elements) if (ts.isBindingElement(one) && !ts.isIdentifier(one.name)) pattern(one, kind, holder, how);
      return;
    }
    pattern(node, kind, holder, how);
  }
  /** In a script a variable stands for what it imports, unless a comment gives it a type. */
  const imports = (/** @type {import("typescript").VariableDeclaration} */ node) => isRequired(ts, node) && !(ts.isIdentifier(node.name) && ts.getJSDocType(node));

  function pattern(/** @type {import("typescript").VariableDeclaration | import("typescript").BindingElement} */ node, /** @type {Kind} */ kind, /** @type {Holder} */ holder, /** @type {Partial<Row>} */ how) {
    if (ts.isIdentifier(node.name)) {
      const isSame = ts.isBindingElement(node) ? isSameName(node) : isOther(node.initializer, node.name.text);
      const row = add(kind, node.name, node, holder, { ...how, ...(isSame && { reexport: true }) });
      if (row && node.initializer) values.set(row, node.initializer);
      return value(node.initializer, row, holder);
    }
    for (const one of node.name.elements) if (ts.isBindingElement(one)) pattern(one, kind, holder, how);
    if (node.initializer) walk(node.initializer, local(holder));
  }

  /** What the value of a variable, a field or a key declares: the keys and members of the value itself belong to that. */
  function value(/** @type {Expression | undefined} */ node, /** @type {Row | undefined} */ row, /** @type {Holder} */ holder) {
    if (!node) return;
    const own = bare(node);
    const inner = inside(row, holder);
    for (let /** @type {any} */ one = node; one !== own; one = one.expression) if (one.type) walk(one.type, local(inner));
    if (ts.isObjectLiteralExpression(own)) properties(own, inner);
    else if (ts.isClassExpression(own)) members(own, inner);
    else if (ts.isFunctionExpression(own) || ts.isArrowFunction(own)) {
      for (const one of [...own.parameters, own.type]) below(one, inner);
      body(own, row, holder);
    } else walk(own, local(inner));
  }

  function properties(/** @type {import("typescript").ObjectLiteralExpression} */ node, /** @type {Holder} */ holder) {
    for (const one of node.properties) {
      if (ts.isSpreadAssignment(one)) walk(one.expression, local(holder));
      else if (ts.isPropertyAssignment(one)) value(one.initializer, key("Property", one, holder), holder);
      else if (ts.isShorthandPropertyAssignment(one)) key("Property", one, holder);
      else body(one, key(ts.isMethodDeclaration(one) ? "Method" : "Accessor", one, holder), holder);
    }
  }
  const key = (/** @type {Kind} */ kind, /** @type {import("typescript").ObjectLiteralElementLike} */ node, /** @type {Holder} */ holder) =>
    add(kind, named(node.name), node, node.name && ts.isComputedPropertyName(node.name) && !ts.isStringLiteralLike(node.name.expression) ? local(holder) : holder);

  /** A name that its text tells. */
  const named = (/** @type {import("typescript").PropertyName | undefined} */ name, isCall = false) => {
    if (!name || !ts.isComputedPropertyName(name)) return name;
    const { expression } = name;
    const known = isCall && ts.isCallExpression(expression) ? expression.expression : expression;
    return ts.isIdentifier(known) || (ts.isPropertyAccessExpression(known) && ts.isIdentifier(leftmost(known))) || ts.isStringLiteralLike(known) || ts.isNumericLiteral(known) ? name : undefined;
  };

  function members(/** @type {import("typescript").ClassLikeDeclaration} */ node, /** @type {Holder} */ holder) {
    for (const one of node.members) {
      const how = { static: has(one, K.StaticKeyword) };
      const name = named(one.name, true);
      if (ts.isConstructorDeclaration(one)) {
        const word = one.getChildren(file).find(({ kind }) => kind === K.ConstructorKeyword || kind === K.StringLiteral);
        body(one, add("Constructor", word, one, holder), holder);
        for (const parameter of one.parameters) if (ts.isParameterPropertyDeclaration(parameter, one)) add("Property", parameter.name, parameter, holder);
      } else if (ts.isMethodDeclaration(one)) body(one, add("Method", name, one, holder, how), holder);
      else if (ts.isAccessor(one)) body(one, add("Accessor", name, one, holder, how), holder);
      else if (ts.isPropertyDeclaration(one)) value(one.initializer, add("Property", name, one, holder, how), holder);
      else if (ts.isClassStaticBlockDeclaration(one)) below(one.body, holder);
    }
  }

  function signature(/** @type {import("typescript").TypeElement} */ node, /** @type {Holder} */ holder) {
    const kind = ts.isMethodSignature(node) ? "Method" : ts.isAccessor(node) ? "Accessor" : ts.isPropertySignature(node) ? "Property" : undefined;
    return kind && add(kind, named(node.name), node, holder, ts.isTypeLiteralNode(node.parent) ? { scope: node.parent.end } : {});
  }

  /** The members of the object types in a type: those of a member's type belong to the member. */
  function literal(/** @type {Node} */ node, /** @type {Holder} */ holder) {
    const row = ts.isTypeElement(node) ? signature(node, holder) : undefined;
    ts.forEachChild(node, (child) => literal(child, row ? { row, isLocal: holder.isLocal } : holder));
  }

  function namespace(/** @type {import("typescript").ModuleDeclaration} */ node, /** @type {Node} */ whole, /** @type {Holder} */ holder, /** @type {Partial<Row>} */ how) {
    const row = add(ts.isStringLiteral(node.name) ? "Module" : "Namespace", node.name, whole, holder, how);
    const inner = inside(row, holder);
    if (node.body && ts.isModuleDeclaration(node.body)) namespace(node.body, whole, inner, { exported: true });
    else if (node.body) ts.forEachChild(node.body, (child) => walk(child, inner));
  }

  // ---- what assignments and comments declare in a script

  /** @type {Expression[]} those at the top of the file: functions stand behind what is given to them, too */
  const assignments = [];
  /** Names at the top of the file that are exported apart from what declares them, as such or as the default. @type {Set<string>} */
  const listed = new Set();
  /** @type {Map<string, Row>} what stands at the top of the file, by name */
  const roots = new Map();
  /** @type {Map<Row, Expression>} */
  const values = new Map();

  /** The targets of `a.b = c.d = …`, and what is assigned to them. */
  function chain(/** @type {Expression} */ value) {
    const targets = [];
    for (; ts.isBinaryExpression(value) && value.operatorToken.kind === K.EqualsToken; value = value.right) if (ts.isPropertyAccessExpression(value.left)) targets.push(value.left);
    return { targets, value };
  }

  function assigned(/** @type {Expression} */ whole) {
    const { targets, value: given } = chain(whole);
    const own = bare(given);
    const isClass = ts.isClassExpression(own);
    const isFunction = ts.isFunctionExpression(own) || ts.isArrowFunction(own);
    const kept = rows.length;
    const called = nameInChain(ts, whole);
    if (called) return value(given, add(isClass ? "Class" : "Function", called, whole, TOP, { exported: true }), local(TOP));
    /** @type {Node | undefined} */
    let all;
    for (const target of targets) {
      const { expression, name } = target;
      const holder = expression.getText(file);
      const row = roots.get(holder.replace(/\.prototype$/, ""));
      if (MODULE.has(holder)) {
        // What is passed on by its name is declared elsewhere.
        const isDeclared = ts.isIdentifier(own) ? own.text === name.text : ts.isVoidExpression(own);
        if (isDeclared) listed.add(name.text);
        else add(isFunction ? "Function" : isClass ? "Class" : "Constant", name, whole, TOP, { exported: true, ...(isOther(own, name.text) && { reexport: true }) });
      } else if (MODULE.has(`${holder}.${name.text}`)) {
        all = target;
        if (ts.isObjectLiteralExpression(own)) {
          properties(own, TOP);
          return keysOf(own, -1, kept);
        }
        const object = ts.isIdentifier(own) ? roots.get(own.text) : undefined;
        const literal = object && values.get(object);
        if (ts.isIdentifier(own)) listed.add(own.text);
        if (object && literal && ts.isObjectLiteralExpression(literal)) keysOf(literal, object.index, object.index);
        if ((ts.isFunctionExpression(own) || isClass) && own.name) add(isClass ? "Class" : "Function", own.name, whole, TOP, { exported: true });
      } else if (row && name.text === "prototype" && ts.isObjectLiteralExpression(own)) {
        properties(own, { row, isLocal: false });
        for (const one of rows.slice(kept)) if (one.container === row.index) one.apart = true;
        return;
      } else if (row && name.text !== "prototype" && (isFunction || hasMembers(row))) add(isFunction ? "Method" : "Property", name, whole, { row, isLocal: false }, { apart: true });
    }
    const kind = unnamed(own);
    if (all && kind && rows.length === kept) add(kind, all, whole, TOP, DEFAULT);
    value(given, rows[kept], local(TOP));
  }
  /** The keys of an object that is all that a module exports are exported, and hand on what they only name. first: the rows before it are none of its */
  function keysOf(/** @type {import("typescript").ObjectLiteralExpression} */ { properties }, /** @type {number} */ container, /** @type {number} */ first) {
    const byName = new Map(properties.map((one) => [one.name?.getStart(file), one]));
    for (const row of rows.slice(first)) {
      const one = row.container === container ? byName.get(row.nameStart) : undefined;
      if (!one) continue;
      const isShort = ts.isShorthandPropertyAssignment(one);
      row.exported = true;
      if (isShort) listed.add(row.name);
      if (isShort || (ts.isPropertyAssignment(one) && isOther(one.initializer, row.name))) row.reexport = true;
    }
  }
  /** Whether what is assigned to parts of it are members: they are of a function, a class and an object without keys. */
  function hasMembers(/** @type {Row} */ row) {
    const given = values.get(row);
    if (!given) return row.kind === "Function" || row.kind === "Class";
    const own = chain(given).value;
    return ts.isFunctionExpression(own) || ts.isArrowFunction(own) || ts.isClassExpression(own) || (ts.isObjectLiteralExpression(own) && !own.properties.length);
  }

  /** The types that comments declare. */
  function typed(/** @type {Node & { jsDoc?: import("typescript").JSDoc[] }} */ node) {
    for (const comment of node.jsDoc ?? []) {
      for (const tag of comment.tags ?? []) {
        const isTyped = (ts.isJSDocTypedefTag(tag) || ts.isJSDocCallbackTag(tag)) && tag.name;
        // `module:a/b~C` is a name to JSDoc alone.
        if (isTyped && !/[.~#:]/.test(file.text[isTyped.end])) add("TypeAlias", isTyped, comment, TOP, { exported: true, ...(file.text[isTyped.pos - 1] === "." && { scope: comment.end }) });
      }
    }
  }

  for (const one of file.statements) walk(one, TOP);
  if (isScript) {
    for (const one of rows) if (one.container < 0 && !one.local) roots.set(one.name, one);
    for (const one of assignments) assigned(one);
    for (const one of [...file.statements, file.endOfFileToken]) typed(one);
  }
  for (const one of rows) if (one.container < 0 && !one.local && listed.has(one.name)) one.exported = true;
  return rows;
}

/** @type {Holder} */
const TOP = { row: undefined, isLocal: false };
/** What importers give a name is called by the name of its export. */
const DEFAULT = { name: "default", exported: true };
const CONTAINERS = new Set(["Class", "Interface", "TypeAlias", "Enum"]);
const MODULE = new Set(["exports", "module.exports"]);
const QUOTED = /^\[?(['"`])([^]*)\1\]?$/;
const unquoted = (/** @type {string} */ name) => QUOTED.exec(name)?.[2] ?? name;
