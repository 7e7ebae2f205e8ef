import { uproot } from "../packages/legacy/lib/index.js";

export const steps = [() => uproot()];

for (const step of steps) {
  step();
}
