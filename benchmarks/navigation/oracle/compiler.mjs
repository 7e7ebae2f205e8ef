// The compiler that is asked: the first argument names its lib/typescript.js.

import { createRequire } from "node:module";
import path from "node:path";

export const ts = createRequire(import.meta.url)(path.resolve(process.argv[2]));
