// What `require` gives in modules of TypeScript: to the compiler it is a function that returns anything, whatever it names.

const CALLS = /\brequire\s{0,9}\(\s{0,9}(["'])([^"'\n]{1,300})\1\s{0,9}\)/g;
const MODULE = /^[ \t]*(?:import|export)\b/m;
/** The name that a text itself declares, or hands on. */
const OWN = /\b(?:const|let|var|function|class|import|as)\s+require\b|[{(,]\s*require\s*[,:=)}]/;

/** What is written behind a text, so that its places stay: a function `require` for what is named. */
export function required(/** @type {string} */ path, /** @type {string} */ text) {
  if (!/\.[mc]?tsx?$/.test(path) || /\.d\.[mc]?ts$/.test(path) || !text.includes("require") || !MODULE.test(text) || OWN.test(text)) return "";
  const named = new Set([...text.matchAll(CALLS)].map(([, , specifier]) => specifier).filter((specifier) => !specifier.includes("\\")));
  if (!named.size) return "";
  const lines = [...named].map((specifier) => `declare function require(_: ${JSON.stringify(specifier)}): typeof import(${JSON.stringify(specifier)});\n`);
  return `\n${lines.join("")}declare function require(_: string): any;\n`;
}
