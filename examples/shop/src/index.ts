export { default as checkout } from "./checkout";
export * as catalog from "./catalog";
export * from "./money";
export { Order as Purchase, OrderStatus } from "./order";
export { Receipt } from "./receipt";
export { MemoryStore, type Store, byId } from "./store";
export { User, Admin, type Role } from "./user";
