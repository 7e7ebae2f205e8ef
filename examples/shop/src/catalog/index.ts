export * from "./product";
export { größen as sizes } from "./product";
