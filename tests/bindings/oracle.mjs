// What the compiler's language service says of the same workspace: the truth of what names a symbol.

import { ROOT, ts } from "./workspace.mjs";

/**
 * The references of a place, "path:start", declarations among them. Modules are resolved as the engine resolves them: the
 * two are compared over names, and resolution has cases of its own.
 * @param {import("./workspace.mjs").Memory} files @param {import("../../daemon/cn_compiler/bindings/engine.mjs").Engine} engine
 */
export function oracle(files, engine) {
  const scripts = [...files.all()].filter((path) => /\.[mc]?[jt]sx?$/.test(path));
  const configured = ts.parseConfigFileTextToJson("", files.read(`${ROOT}/tsconfig.json`) ?? "{}").config?.compilerOptions?.module;
  const { module = ts.ModuleKind.ESNext } = ts.convertCompilerOptionsFromJson({ module: configured }, ROOT).options;
  const extension = (/** @type {string} */ path) => (/\.d\.[mc]?ts$|\.[^.]+$/.exec(path) ?? [""])[0];
  const service = ts.createLanguageService({
    getScriptFileNames: () => scripts,
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const text = files.read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => ROOT,
    getCompilationSettings: () => ({
      allowJs: true, noLib: true, types: [], esModuleInterop: true, resolveJsonModule: true, experimentalDecorators: true, strict: true,
      target: ts.ScriptTarget.ESNext, module, moduleResolution: configured ? undefined : ts.ModuleResolutionKind.Bundler, jsx: ts.JsxEmit.Preserve,
    }),
    getDefaultLibFileName: () => "lib.d.ts",
    fileExists: files.isFile,
    readFile: files.read,
    resolveModuleNameLiterals: (literals, from) =>
      literals.map(({ text }) => {
        const target = engine.resolver.resolve(text, from);
        return { resolvedModule: "file" in target ? { resolvedFileName: target.file, extension: extension(target.file), isExternalLibraryImport: false } : undefined };
      }),
  });
  return (/** @type {string} */ path, /** @type {number} */ start) =>
    new Set((service.findReferences(path, start) ?? []).flatMap((group) => group.references).filter((one) => files.has(one.fileName)).map((one) => `${one.fileName}:${one.textSpan.start}`));
}
