// What the compiler's own `findReferences` says of answers, in every project of a workspace that has its packages.
//
//     node compiler.mjs TYPESCRIPT FOLDER < [{ place: { file, line, character }, uses }]
//
// Lines and characters of a place begin at 0, files are relative to the folder. Of each: in how many projects it is (`projects`),
// where it is used (`uses`, each "file:line:character" from 1), and which of the given uses are another symbol's in a project that holds
// both (`denied`): what leads nowhere there, as to a package that is not built, is nobody's. One project at a time is in memory.

import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [typescript, folder] = process.argv.slice(2);
/** @type {typeof import("typescript")} */
const ts = createRequire(import.meta.url)(typescript);
const root = fs.realpathSync(folder);
const asked = JSON.parse(fs.readFileSync(0, "utf8"));
const answers = asked.map(() => ({ projects: 0, uses: new Set(), denied: new Set() }));
const isOwn = (/** @type {string} */ file) => file.startsWith(root + path.sep) && !file.includes("/node_modules/");
// The syntax of what two projects hold, as libraries, is made once.
const registry = ts.createDocumentRegistry(ts.sys.useCaseSensitiveFileNames, root);

function service(/** @type {import("typescript").ParsedCommandLine} */ { fileNames, options, projectReferences }) {
  const host = {
    getScriptFileNames: () => fileNames,
    getScriptVersion: () => "",
    getScriptSnapshot: (file) => {
      const text = ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCompilationSettings: () => options,
    getProjectReferences: () => projectReferences,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getCurrentDirectory: () => root,
    useSourceOfProjectReferenceRedirect: () => true,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    realpath: ts.sys.realpath,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  return ts.createLanguageService(host, registry);
}

// Whether something is declared that stands at a use.
function isKnown(/** @type {import("typescript").Program} */ program, /** @type {string} */ use) {
  const [, file, line, character] = /^(.*):(\d+):(\d+)$/.exec(use);
  const source = program.getSourceFile(path.join(root, file));
  if (!source) return false;
  const checker = program.getTypeChecker();
  const node = ts.getTouchingPropertyName(source, source.getPositionOfLineAndCharacter(line - 1, character - 1));
  const symbol = checker.getSymbolAtLocation(node);
  const named = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return Boolean(named?.declarations?.length);
}

// A tsconfig of another name is a project where one refers to it.
const configs = new Set(ts.sys.readDirectory(root, [".json"], ["**/node_modules"]).filter((file) => path.basename(file) === "tsconfig.json"));
let before;
for (const config of configs) {
  const parsed = ts.parseJsonConfigFileContent(ts.readConfigFile(config, ts.sys.readFile).config ?? {}, ts.sys, path.dirname(config), undefined, config);
  for (const reference of parsed.projectReferences ?? []) {
    const referred = ts.resolveProjectReferencePath(reference);
    if (ts.sys.fileExists(referred)) configs.add(referred);
  }
  if (!parsed.fileNames.length) continue;
  const one = service(parsed);
  const program = one.getProgram();
  for (const [index, { place, uses }] of asked.entries()) {
    const source = program.getSourceFile(path.join(root, place.file));
    if (!source) continue;
    const answer = answers[index];
    answer.projects++;
    const told = new Set();
    for (const { references } of one.findReferences(source.fileName, source.getPositionOfLineAndCharacter(place.line, place.character)) ?? []) {
      for (const { fileName, textSpan, isDefinition } of references) {
        const { line, character } = program.getSourceFile(fileName).getLineAndCharacterOfPosition(textSpan.start);
        const use = `${path.relative(root, fileName)}:${line + 1}:${character + 1}`;
        told.add(use);
        if (!isDefinition && isOwn(fileName)) answer.uses.add(use);
      }
    }
    for (const use of uses) if (!told.has(use) && isKnown(program, use)) answer.denied.add(use);
  }
  before?.dispose();
  before = one;
  console.error(path.relative(root, config));
}
console.log(JSON.stringify(answers.map(({ projects, uses, denied }) => ({ projects, uses: [...uses], denied: [...denied] }))));
