// Which of some files overflow the stack of the compiler. Each is told on a line of the output, as JSON.
// Arguments: TypeScript's library, a file that lists the paths, a line each, as JSON.
const fs = require("node:fs");
const ts = require(process.argv[2]);

for (const path of fs.readFileSync(process.argv[3], "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line))) {
  try {
    const text = fs.readFileSync(path, "utf8");
    // With parents, as a language service has them.
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const host = {
      fileExists: (name) => name === path,
      readFile: () => undefined,
      getSourceFile: (name) => (name === path ? file : undefined),
      getDefaultLibFileName: () => "lib.d.ts",
      writeFile: () => {},
      getCurrentDirectory: () => "/",
      getCanonicalFileName: (name) => name,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => "\n",
    };
    // A checker binds every file of its program; checking itself goes through the file's own statements.
    ts.createProgram([path], { noLib: true, noResolve: true, allowJs: true, types: [] }, host).getTypeChecker();
  } catch (error) {
    if (error instanceof RangeError) console.log(JSON.stringify(path));
  }
}
