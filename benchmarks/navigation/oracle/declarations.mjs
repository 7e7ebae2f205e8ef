// What an outline lists: README.md, "An outline row".

import { ts } from "./compiler.mjs";

const KINDS = new Map([
  [ts.SyntaxKind.ClassDeclaration, "Class"],
  [ts.SyntaxKind.InterfaceDeclaration, "Interface"],
  [ts.SyntaxKind.TypeAliasDeclaration, "TypeAlias"],
  [ts.SyntaxKind.EnumDeclaration, "Enum"],
  [ts.SyntaxKind.EnumMember, "EnumMember"],
  [ts.SyntaxKind.FunctionDeclaration, "Function"],
  [ts.SyntaxKind.MethodDeclaration, "Method"],
  [ts.SyntaxKind.MethodSignature, "Method"],
  [ts.SyntaxKind.PropertyDeclaration, "Property"],
  [ts.SyntaxKind.PropertySignature, "Property"],
  [ts.SyntaxKind.Constructor, "Constructor"],
  [ts.SyntaxKind.GetAccessor, "Accessor"],
  [ts.SyntaxKind.SetAccessor, "Accessor"],
  [ts.SyntaxKind.ModuleDeclaration, "Namespace"],
]);

/** The name that is written: {node, text}. A quoted one is without its quotes, a computed one is as it stands. */
function named(node) {
  if (ts.isConstructorDeclaration(node)) return { node, text: "constructor" };
  const { name } = node;
  if (!name) return isDefault(node) ? { node, text: "default" } : undefined;
  if (ts.isComputedPropertyName(name)) {
    const quoted = ts.isStringLiteral(name.expression) ? name.expression.getText().slice(1, -1) : undefined;
    return { node: name, text: quoted ?? name.getText() };
  }
  if (ts.isStringLiteral(name) && name.text) return { node: name, text: name.getText().slice(1, -1) };
  return name.text ? { node: name, text: ts.isNumericLiteral(name) ? name.getText() : name.text } : undefined;
}

/** Where `export default a` and `export = a` say what they export. */
const keywordOf = (node) => node.getChildren().find(({ kind }) => kind === (node.isExportEquals ? ts.SyntaxKind.ExportKeyword : ts.SyntaxKind.DefaultKeyword));

const isDefault = (node) => Boolean(ts.canHaveModifiers(node) && ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Default);

// In a script the compiler takes `const a = require("b")` for an import, `require("b").a` and `{ a } = require("b")` as
// well. Of a pattern each name that it binds at once is one.
export function isRequired(node) {
  return ts.isInJSFile(node) && Boolean((node.symbol?.flags ?? 0) & ts.SymbolFlags.Alias);
}

// `exports.a = a` exports what is declared elsewhere.
function handsOn(target, value) {
  return ts.isVoidExpression(value) || (ts.isIdentifier(value) && value.text === target.name.text);
}

// A function, a class, or a variable whose value is one or `{}`.
function takesMembers(node) {
  if (!ts.isVariableDeclaration(node)) return ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node);
  let value = node.initializer;
  while (value && ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken) value = value.right;
  if (!value) return false;
  if (ts.isObjectLiteralExpression(value)) return !value.properties.length;
  return ts.isFunctionExpression(value) || ts.isArrowFunction(value) || ts.isClassExpression(value);
}

/** visit({node, name, text, kind, container}) for each row of the outline of `source`, in source order. */
export function declarations(source, visit) {
  new Reader(visit).statements(source, []);
}

class Reader {
  constructor(visit) {
    this.visit = visit;
  }

  row(node, kind, container) {
    const name = named(node);
    if (!name) return undefined;
    this.visit({ node, name: name.node, text: name.text, kind, container });
    return [...container, name.text];
  }

  statements(holder, container) {
    const script = ts.isSourceFile(holder) && ts.isInJSFile(holder);
    ts.forEachChild(holder, (child) => {
      if (script) this.comments(child);
      if (script && ts.isExpressionStatement(child)) this.assignment(child);
      else if (ts.isVariableStatement(child)) this.variables(child.declarationList, container);
      else if (ts.isModuleDeclaration(child)) this.namespace(child, container);
      else if (KINDS.has(child.kind)) this.members(child, this.row(child, KINDS.get(child.kind), container) ?? container);
      else if (ts.isModuleBlock(child)) this.statements(child, container);
      else if (ts.isExportAssignment(child) && !this.unnamed(child, keywordOf(child), child.expression, container) && !child.isExportEquals) this.value(child.expression, container);
    });
  }

  // A function or a class without a name that is a module's default, or all that it exports.
  unnamed(node, name, expression, container) {
    let value = expression;
    while (ts.isParenthesizedExpression(value) || ts.isAsExpression(value) || ts.isSatisfiesExpression(value)) value = value.expression;
    const isClass = ts.isClassExpression(value);
    if (!ts.isArrowFunction(value) && !((isClass || ts.isFunctionExpression(value)) && !value.name)) return false;
    this.visit({ node, name, text: "default", kind: isClass ? "Class" : "Function", container });
    if (isClass) this.members(value, [...container, "default"]);
    return true;
  }

  // The types that a script declares in the comments above what stands at its top.
  comments(child) {
    for (const tag of (child.jsDoc ?? []).flatMap((comment) => comment.tags ?? [])) {
      if (!ts.isJSDocTypedefTag(tag) && !ts.isJSDocCallbackTag(tag)) continue;
      // `A~b` and `module:a~b` are no names.
      if (tag.name && !/[~#:]/.test(tag.getSourceFile().text[tag.name.end])) this.visit({ node: tag.parent, name: tag.name, text: tag.name.text, kind: "TypeAlias", container: [] });
    }
  }

  // What the compiler takes for a declaration in a script: `exports.a = …`, `A.prototype.b = …`, alone or in a chain.
  assignment(node) {
    const targets = [];
    let value = node.expression;
    for (; ts.isBinaryExpression(value) && value.operatorToken.kind === ts.SyntaxKind.EqualsToken; value = value.right) {
      targets.push(value.left);
    }
    for (const target of targets) this.assigned(node, target, value);
  }

  assigned(node, target, value) {
    const named = (name, kind, container) => {
      this.visit({ node, name, text: name.text, kind, container });
      return [...container, name.text];
    };
    const callable = ts.isFunctionExpression(value) || ts.isArrowFunction(value);
    if (["exports", "module.exports"].includes(target.getText())) {
      if ((ts.isFunctionExpression(value) || ts.isClassExpression(value)) && value.name) {
        const inner = named(value.name, callable ? "Function" : "Class", []);
        if (!callable) this.members(value, inner);
      } else if (ts.isObjectLiteralExpression(value)) this.value(value, []);
      else this.unnamed(node, target, value, []);
    }
    if (!ts.isPropertyAccessExpression(target) || !target.symbol) return;
    const holder = target.expression.getText();
    if (holder === "exports" || holder === "module.exports") {
      const kind = callable ? "Function" : ts.isClassExpression(value) ? "Class" : "Constant";
      if (!handsOn(target, value)) this.value(value, named(target.name, kind, []));
    } else if (target.name.text === "prototype") {
      if (ts.isObjectLiteralExpression(value)) this.value(value, [holder]);
      return;
    }
    const owner = /^([\w$]+)(\.prototype)?$/.exec(holder)?.[1];
    const symbol = owner && node.parent.locals?.get(owner);
    const declared = symbol && (symbol.exportSymbol ?? symbol).valueDeclaration;
    if (declared && (callable || takesMembers(declared))) {
      this.value(value, named(target.name, callable ? "Method" : "Property", [owner]));
    }
  }

  namespace(node, container) {
    const inner = this.row(node, ts.isStringLiteral(node.name) ? "Module" : "Namespace", container);
    if (!node.body) return;
    if (ts.isModuleDeclaration(node.body)) this.namespace(node.body, inner);
    else this.statements(node.body, inner);
  }

  variables(list, container) {
    const kind = list.flags & ts.NodeFlags.Const ? "Constant" : "Variable";
    for (const variable of list.declarations) {
      if (isRequired(variable)) continue;
      if (!ts.isIdentifier(variable.name)) this.bindings(variable.name, kind, container);
      else this.value(variable.initializer, this.row(variable, kind, container));
    }
  }

  bindings(pattern, kind, container) {
    for (const element of pattern.elements) {
      if (ts.isOmittedExpression(element) || isRequired(element)) continue;
      if (ts.isIdentifier(element.name)) this.row(element, kind, container);
      else this.bindings(element.name, kind, container);
    }
  }

  members(owner, container) {
    for (const member of owner.members ?? []) {
      if (KINDS.has(member.kind)) {
        const inner = this.row(member, KINDS.get(member.kind), container);
        if (inner && ts.isPropertyDeclaration(member)) this.value(member.initializer, inner);
        if (ts.isInterfaceDeclaration(owner)) ts.forEachChild(member, (child) => this.literals(child, inner ?? container));
      }
      if (ts.isConstructorDeclaration(member)) this.parameterProperties(member, container);
    }
    if (ts.isTypeAliasDeclaration(owner)) this.literals(owner.type, container);
  }

  parameterProperties(constructor, container) {
    for (const parameter of constructor.parameters) {
      if (ts.isParameterPropertyDeclaration(parameter, constructor)) this.row(parameter, "Property", container);
    }
  }

  // The members of the object types that are written in a type alias or an interface, however deep: those of a member's type are that
  // member's.
  literals(type, container) {
    if (!type) return;
    if (!ts.isTypeLiteralNode(type)) {
      ts.forEachChild(type, (child) => this.literals(child, container));
      return;
    }
    for (const member of type.members) {
      const inner = KINDS.has(member.kind) ? this.row(member, KINDS.get(member.kind), container) : undefined;
      ts.forEachChild(member, (child) => this.literals(child, inner ?? container));
    }
  }

  // The keys of an object literal, or the members of a class, that is the whole value of a constant or of a key.
  value(expression, container) {
    while (expression && (ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression))) {
      expression = expression.expression;
    }
    if (!expression || !container) return;
    if (ts.isClassExpression(expression)) this.members(expression, container);
    if (!ts.isObjectLiteralExpression(expression)) return;
    for (const property of expression.properties) {
      if (property.name && ts.isComputedPropertyName(property.name) && !ts.isStringLiteral(property.name.expression)) continue;
      const kind = ts.isMethodDeclaration(property) ? "Method" : ts.isAccessor(property) ? "Accessor" : "Property";
      const inner = this.row(property, kind, container);
      if (ts.isPropertyAssignment(property)) this.value(property.initializer, inner);
    }
  }
}
