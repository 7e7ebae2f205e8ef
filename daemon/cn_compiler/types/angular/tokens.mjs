// The tokens of an expression in a template of Angular, by TypeScript's scanner.

/** @typedef {{ word: string, kind: "name" | "string" | "number" | "sign", start: number }} Token name: keywords as well */

/** @param {typeof import("typescript")} ts @param {string} text @param {number} start @param {number} end @returns {Token[]} */
export function tokens(ts, text, start, end) {
  const { SyntaxKind: kinds } = ts;
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, true, ts.LanguageVariant.Standard, text, () => {}, start, end - start);
  /** @type {Token[]} */
  const found = [];
  /** What is open: braces, and holes of template literals. @type {("{" | "${")[]} */
  const open = [];
  for (let token = scanner.scan(); token !== kinds.EndOfFileToken; token = scanner.scan()) {
    const last = found.at(-1);
    const isOperand = last && (last.kind !== "sign" || last.word === ")" || last.word === "]");
    if (token === kinds.SlashToken && !isOperand) token = scanner.reScanSlashToken();
    else if (token === kinds.OpenBraceToken) open.push("{");
    else if (token === kinds.CloseBraceToken && open.pop() === "${") token = scanner.reScanTemplateToken(false);
    if (token === kinds.TemplateHead || token === kinds.TemplateMiddle) open.push("${");
    found.push({ word: scanner.getTokenText(), kind: kindOf(ts, token), start: scanner.getTokenStart() });
  }
  return found;
}
function kindOf(/** @type {typeof import("typescript")} */ { SyntaxKind: kinds }, /** @type {import("typescript").SyntaxKind} */ token) {
  if (token === kinds.Identifier || token === kinds.PrivateIdentifier || (token >= kinds.FirstKeyword && token <= kinds.LastKeyword)) return "name";
  if (token === kinds.NumericLiteral || token === kinds.BigIntLiteral) return "number";
  return token >= kinds.FirstLiteralToken && token <= kinds.LastTemplateToken ? "string" : "sign";
}
