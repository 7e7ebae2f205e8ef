import { Field } from "./field.js";

/** The one field that there is. */
const field = new Field(10);

/**
 * @param {string} variety
 * @param {number} count
 */
export function plant(variety, count) {
  for (let row = 0; row < count; row += 1) {
    field.put(variety);
  }
  return field.size;
}

export const uproot = () => field.clear();
