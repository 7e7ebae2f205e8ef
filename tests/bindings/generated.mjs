// Workspaces of chance: modules that declare, import, rename and hand on each other's names, and use them.

import { ROOT } from "./workspace.mjs";

const NAMES = ["A", "B", "C", "D", "E"];

/** @returns {Record<string, string>} */
export function generated(/** @type {number} */ seed) {
  let state = seed * 2654435761;
  const chance = (/** @type {number} */ below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return (state >>> 7) % below;
  };
  const pick = (/** @type {string[]} */ list) => list[chance(list.length)];
  /** @type {{ exports: Map<string, string>, hasDefault: boolean }[]} what each module exports: its kind */
  const modules = [];
  /** @type {Record<string, string>} */
  const texts = {};
  for (let at = 0; at < 5; at++) {
    /** @type {string[]} */
    const lines = [];
    /** @type {Map<string, string>} */
    const exports = new Map();
    /** @type {Map<string, string>} names in scope, with their kind */
    const scope = new Map();
    let hasDefault = false;

    for (let imports = at ? chance(4) : 0; imports > 0; imports--) {
      const from = chance(at);
      const path = `"./m${from}"`;
      const [name, kind] = [...modules[from].exports][chance(modules[from].exports.size || 1)] ?? [];
      const free = NAMES.filter((one) => !scope.has(one));
      if (!free.length || !name) continue;
      const local = pick(free);
      switch (chance(6)) {
        case 0:
          if (scope.has(name)) break;
          lines.push(`import { ${name} } from ${path};`);
          scope.set(name, kind);
          break;
        case 1:
          lines.push(`import { ${name} as ${local} } from ${path};`);
          scope.set(local, kind);
          break;
        case 2:
          lines.push(`import * as ${local} from ${path};`, `${local}.${name};`, `let v${imports}${at}: ${local}.${name};`);
          scope.set(local, "namespace");
          break;
        case 3:
          if (exports.has(name)) break;
          lines.push(`export { ${name} } from ${path};`);
          exports.set(name, kind);
          break;
        case 4:
          if (exports.has(local)) break;
          lines.push(`export { ${name} as ${local} } from ${path};`);
          exports.set(local, kind);
          break;
        default:
          if (!modules[from].hasDefault) break;
          lines.push(`import ${local} from ${path};`);
          scope.set(local, "value");
      }
    }
    const declared = NAMES.filter((one) => !scope.has(one) && !exports.has(one) && chance(2));
    for (const name of declared) {
      const word = chance(4) ? "export " : "";
      const kind = pick(["class", "function", "const", "interface", "enum", "namespace", "type"]);
      const text = {
        class: `class ${name} { static s = 1; m() { return ${name}.s; } }`,
        function: `function ${name}(${pick(NAMES)}: unknown) { return ${pick(NAMES)}; }`,
        const: `const ${name} = { ${pick(NAMES)}: 1 };`,
        interface: `interface ${name} { ${pick(NAMES)}: ${name} }`,
        enum: `enum ${name} { A, B = A }`,
        namespace: `namespace ${name} { export const A = 1; A; }`,
        type: `type ${name} = ${pick(NAMES)}[];`,
      }[kind];
      lines.push(word + text);
      scope.set(name, kind);
      if (word) exports.set(name, kind);
      else if (!chance(3) && !exports.has(name)) lines.push(`export { ${name} };`), exports.set(name, kind);
    }
    if (declared.length && !chance(2)) {
      lines.push(`export default ${pick(declared)};`);
      hasDefault = true;
    }
    for (const [name, kind] of scope) {
      if (kind === "class") lines.push(`new ${name}(); ${name}.s;`);
      else if (kind === "enum") lines.push(`${name}.A; let e${name}: ${name}.B;`);
      else if (kind === "interface" || kind === "type") lines.push(`let t${name}: ${name}${exports.has(name) ? ` | import("./m${at}").${name}` : ""};`);
      else lines.push(`${name}; function f${name}(${pick(NAMES)}: any) { return [${pick(NAMES)}, { ${name} }]; }`);
    }
    if (at && !chance(3)) {
      // The service takes what a local export or another star hides for the other, and defaults for what stars hand on.
      const from = [...Array(at).keys()].find((one) => !modules[one].hasDefault && ![...modules[one].exports.keys()].some((name) => exports.has(name)));
      if (from !== undefined) lines.push(`export * from "./m${from}";`);
      if (from !== undefined) for (const [name, kind] of modules[from].exports) exports.set(name, kind);
    }
    modules.push({ exports, hasDefault });
    texts[`${ROOT}/m${at}.ts`] = `${lines.join("\n")}\nexport {};\n`;
  }
  return texts;
}
