// The little of Node.js that is used here: its types are no part of what is provisioned.

declare module "node:fs" {
  interface Stats {
    size: number;
    isFile(): boolean;
    isDirectory(): boolean;
  }
  export const constants: Record<"O_RDONLY" | "O_NONBLOCK" | "O_NOFOLLOW", number>;
  export function closeSync(descriptor: number): void;
  export function fstatSync(descriptor: number): Stats;
  export function openSync(path: string, flags: number): number;
  export function readFileSync(path: string | number, encoding: "utf8"): string;
  export function readdirSync(path: string): string[];
  export const realpathSync: { native(path: string): string };
  export function statSync(path: string, options?: { throwIfNoEntry?: boolean }): Stats | undefined;
  export function writeSync(descriptor: number, data: Uint8Array, offset?: number, length?: number, position?: number): number;
}
declare module "node:module" {
  export const builtinModules: string[];
  export function createRequire(from: string): (name: string) => any;
}
declare module "node:path" {
  export const sep: string;
  export function basename(path: string): string;
  export function dirname(path: string): string;
  export function join(...parts: string[]): string;
  export function normalize(path: string): string;
}
declare module "node:url" {
  export function fileURLToPath(url: string): string;
}
declare module "node:test" {
  export function test(name: string, body: () => void): void;
}
declare module "node:assert/strict" {
  export function deepEqual(actual: unknown, expected: unknown, message?: string): void;
  export function equal(actual: unknown, expected: unknown, message?: string): void;
  export function ok(value: unknown, message?: string): asserts value;
  const assert: { deepEqual: typeof deepEqual; equal: typeof equal; ok: typeof ok };
  export default assert;
}
declare class Buffer extends Uint8Array {
  static alloc(length: number): Buffer;
  static concat(parts: Uint8Array[]): Buffer;
  static from(text: string): Buffer;
  subarray(start?: number, end?: number): Buffer;
  toString(encoding?: string): string;
}
declare const process: {
  argv: string[];
  env: Record<string, string | undefined>;
  exit(code: number): never;
  stdin: { on(event: "data", heard: (chunk: unknown) => void): void; on(event: "end", heard: () => void): void };
};
interface ImportMeta {
  url: string;
}
