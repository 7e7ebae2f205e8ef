// The packages of the workspace, and the sources of which a build makes what their package.json names.

import fs from "node:fs";
import path from "node:path";
import { ts } from "./compiler.mjs";

const SKIPPED = new Set(["dist", "build", "coverage"]);
const OUTPUT = /^(?:\.\/)?(?:(?:dist|build|out|lib|es|esm|cjs|main|module|types|production|development)\/)*/;
// The folder itself, whose module it means.
const WHOLE = /(?:^|\/)(?:dist|build|out|lib|es|esm|cjs)\/?$/;
const ENDING = /(?:\.d)?\.[cm]?[jt]sx?$/;
const packages = new Map();

/** To be called with every package.json before anything else is asked. */
export function know(manifests) {
  for (const file of manifests) {
    const { config } = ts.readConfigFile(file, ts.sys.readFile);
    // The root of a monorepo may have the name of its package, and no module.
    const hasModule = config && (config.exports ?? config.types ?? config.main ?? config.module);
    if (config?.name && (hasModule || !packages.has(config.name))) packages.set(config.name, { folder: path.dirname(file), config });
  }
}

// Conditions that no compiler has by itself (`react-server`) come last.
const RARE = /^(?!types|import|require|node|default|module|source$)/;
const ordered = (value) => Object.entries(value).sort(([one], [other]) => RARE.test(one) - RARE.test(other));
const leaves = (value) => (value && typeof value === "object" ? ordered(value).flatMap(([, one]) => leaves(one)) : typeof value === "string" ? [value] : []);
const nameOf = (specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

/** The source of which a build makes what package.json names so, or undefined. */
function sourceOf(folder, named) {
  // Declarations that are kept in git are what the compiler takes, whatever lies beside them.
  const declarations = path.join(folder, named);
  if (/\.d\.[cm]?ts$/.test(named) && !named.match(OUTPUT)[0].replace("./", "") && fs.existsSync(declarations)) return declarations;
  const target = WHOLE.test(named) ? path.join(named, "index") : named;
  const stem = target.replace(OUTPUT, "").replace(ENDING, "");
  const whole = target.replace(/^\.\//, "").replace(ENDING, "");
  for (const base of [whole, `src/${stem}`, stem, `lib/${stem}`, `source/${stem}`, `src/${whole}`]) {
    for (const ending of [".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs"]) {
      const likely = [base + ending, path.join(base, `index${ending}`)].map((one) => path.join(folder, one));
      const file = likely.find((one) => fs.existsSync(one));
      if (file && !file.slice(folder.length).split(path.sep).some((part) => SKIPPED.has(part))) return file;
    }
  }
  return undefined;
}

/** The source of a module of a package, or undefined. */
export function entry(specifier) {
  const found = packages.get(nameOf(specifier));
  if (!found) return undefined;
  const { folder, config } = found;
  const key = `.${specifier.slice(nameOf(specifier).length)}`;
  const own = key === "." ? [config.source, config.types, config.typings, config.module, config.main] : [key];
  const exported = typeof config.exports === "object" ? (config.exports[key] ?? (key === "." ? config.exports : undefined)) : config.exports;
  const targets = [...leaves(exported), ...own.filter(Boolean)];
  for (const target of targets) {
    const source = sourceOf(folder, target);
    if (source) return source;
  }
  return undefined;
}

/** What tsconfigs say of where a build writes, and of what. */
const outputs = [];
/** To be called with every tsconfig's options before `unwritten` is asked. */
export function writes(folder, { outDir, rootDir = folder }) {
  if (outDir && outDir !== rootDir) outputs.push({ outDir, rootDir });
}

/** The source of what a build would write there, or undefined. */
export function unwritten(file) {
  const itself = [...packages.values()].find(({ folder }) => folder === file);
  if (itself) return entry(itself.config.name);
  const output = outputs.find(({ outDir }) => `${file}${path.sep}`.startsWith(outDir + path.sep));
  const source = output && sourceOf(output.rootDir, path.relative(output.outDir, file) || "index");
  if (source) return source;
  const folders = [...packages.values()].map(({ folder }) => folder).filter((folder) => file.startsWith(folder + path.sep));
  const folder = folders.sort((one, other) => other.length - one.length)[0];
  const target = folder && path.relative(folder, file);
  return target?.match(OUTPUT)[0] ? sourceOf(folder, target) : undefined;
}
