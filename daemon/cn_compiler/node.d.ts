// The little of Node.js that is used here: its types are no part of what is provisioned.

declare module "node:fs" {
  interface Stats {
    size: number;
    mtimeMs: number;
    dev: number;
    ino: number;
    isFile(): boolean;
    isDirectory(): boolean;
  }
  export const constants: Record<"O_RDONLY" | "O_NONBLOCK" | "O_NOFOLLOW", number>;
  export function closeSync(descriptor: number): void;
  export function ftruncateSync(descriptor: number, length: number): void;
  export function readSync(descriptor: number, into: Uint8Array | DataView, offset: number, length: number, position: number): number;
  export function fstatSync(descriptor: number): Stats;
  export function openSync(path: string, flags: number | string): number;
  export function mkdirSync(path: string): void;
  export function symlinkSync(target: string, path: string): void;
  export function writeFileSync(path: string, data: string): void;
  export function mkdtempSync(prefix: string): string;
  export function rmSync(path: string, options: { recursive: boolean }): void;
  export function readFileSync(path: string | number, encoding: "utf8"): string;
  export function readFileSync(path: string | number): Buffer;
  export function readdirSync(path: string): string[];
  export function readdirSync(path: string, options: { withFileTypes: true }): { name: string; isDirectory(): boolean }[];
  export function lstatSync(path: string, options?: { throwIfNoEntry?: boolean }): Stats | undefined;
  export const realpathSync: { native(path: string): string };
  export function statSync(path: string, options?: { throwIfNoEntry?: boolean }): Stats | undefined;
  export function writeSync(descriptor: number, data: Uint8Array, offset?: number, length?: number, position?: number): number;
}
declare module "node:crypto" {
  interface Hash {
    update(data: string | Uint8Array): Hash;
    digest(): Buffer;
    digest(encoding: "latin1"): string;
  }
  export function createHash(name: "sha1"): Hash;
}
declare module "node:v8" {
  export function setFlagsFromString(flags: string): void;
  export function serialize(value: unknown): Buffer;
  export function deserialize(bytes: Uint8Array): any;
}
declare module "node:module" {
  export const builtinModules: string[];
  export class SourceMap {
    constructor(payload: object);
    findEntry(line: number, column: number): { generatedLine?: number; generatedColumn?: number; originalLine?: number; originalColumn?: number };
  }
  export function createRequire(from: string): (name: string) => any;
}
declare module "node:os" {
  export function tmpdir(): string;
}
declare module "node:path" {
  export const sep: string;
  export function basename(path: string): string;
  export function dirname(path: string): string;
  export function join(...parts: string[]): string;
  export function relative(from: string, to: string): string;
  export function normalize(path: string): string;
}
declare module "node:url" {
  export function fileURLToPath(url: string | URL): string;
}
declare module "node:test" {
  export function test(name: string, body: () => void): void;
}
declare module "node:assert/strict" {
  export function deepEqual(actual: unknown, expected: unknown, message?: string): void;
  export function equal(actual: unknown, expected: unknown, message?: string): void;
  export function ok(value: unknown, message?: string): asserts value;
  export function throws(body: () => void, kind: new (...parameters: any[]) => Error): void;
  const assert: { deepEqual: typeof deepEqual; equal: typeof equal; ok: typeof ok; throws: typeof throws };
  export default assert;
}
declare class Buffer extends Uint8Array {
  static alloc(length: number): Buffer;
  static concat(parts: Uint8Array[]): Buffer;
  static from(data: string | Uint8Array | never[]): Buffer;
  equals(other: Uint8Array): boolean;
  readUInt32LE(at: number): number;
  subarray(start?: number, end?: number): Buffer;
  swap16(): Buffer;
  toString(encoding?: string, start?: number, end?: number): string;
  write(text: string, at: number, encoding: string): number;
  writeUInt32LE(value: number, at: number): number;
}
declare const process: {
  argv: string[];
  env: Record<string, string | undefined>;
  exit(code: number): never;
  versions: { v8: string };
  memoryUsage(): { heapUsed: number };
  cpuUsage(before?: { user: number }): { user: number };
  stdin: { on(event: "data", heard: (chunk: unknown) => void): void; on(event: "end", heard: () => void): void };
};
declare var gc: (() => void) | undefined; // --expose-gc
declare function setImmediate(work: () => void): void;
declare class URL {
  constructor(path: string, base: string);
  toString(): string;
}
interface ImportMeta {
  url: string;
}
