export * from "./fruit";
export { Basket as Container, weigh as measure } from "./basket";
export type { BasketEvents } from "./basket";
export { default as createPress } from "./press";
export { default } from "./press";
export * as units from "./units";
export { describeTree } from "./internal/tree";
import { grade } from "./internal/grade";
export { grade as rating };
