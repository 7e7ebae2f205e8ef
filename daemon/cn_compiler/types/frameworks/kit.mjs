// Routes of SvelteKit for the compiler: `./$types` as `svelte-kit sync` would write it, of the scripts as they are now; and a
// script that loads, with the type of what it returns: an annotation says less.

import { basename, join } from "node:path";

import { above, script } from "../../bindings/components/kit.mjs";

/** @typedef {import("../../bindings/components/kit.mjs").Files} Files @typedef {import("typescript").Node} Node */

const NAME = ".$kit.d.ts";
const ANSWERING = /^(?:GET|POST|PUT|PATCH|DELETE|OPTIONS|HEAD|fallback)$/;
const COMMON = `type All<U, A extends keyof any = U extends U ? keyof U : never> = U extends unknown ? { [P in Exclude<A, keyof U>]?: never } & U : never;
type Out<L> = L extends (...args: any) => infer R ? Exclude<Awaited<R>, void | undefined | null> : {};
type Loads<M> = M extends { load: infer L } ? All<Out<L>> : {};
type Merge<A, B> = Omit<A, keyof B> & B;
type Done<A> = { [K in keyof A]: A[K] extends (...args: any) => infer R ? Exclude<Awaited<R>, void> extends infer O ? O extends { status: number; data: infer D } ? D : O : never : never }[keyof A];
type Acts<M> = M extends { actions: infer A } ? All<Done<A>> | null : unknown;
type Event<E, D, P> = Omit<E, "data" | "parent" | "locals"> & { data: D; parent(): Promise<P>; locals: App.Locals };
export type RouteParams = Record<string, string>;
export type RequestEvent = Omit<import("@sveltejs/kit").RequestEvent, "locals"> & { locals: App.Locals };
export type RequestHandler = import("@sveltejs/kit").RequestHandler;
export type EntryGenerator = () => any;
export type Snapshot<T = any> = import("@sveltejs/kit").Snapshot<T>;
export type Actions = Record<string, (event: RequestEvent) => any>;
`;

export const isTypes = (/** @type {string} */ path) => basename(path) === NAME;
/** The file that stands for `./$types` of a folder. */
export const types = (/** @type {string} */ folder) => join(folder, NAME);

/** Its text. */
export function text(/** @type {Files} */ files, /** @type {string} */ folder, /** @type {(path: string) => string} */ standing) {
  const parent = above(folder);
  const has = (/** @type {string} */ name) => script(files, folder, name);
  const of = (/** @type {string} */ name) => {
    const path = has(name);
    return path ? `typeof import(${JSON.stringify(standing(path))})` : "{}";
  };
  const loaded = (/** @type {string} */ name) => (has(name) ? `Loads<${of(name)}>` : `Loads<${of(`${name}.server`)}>`);
  const events = ["Page", "Layout"].flatMap((kind) => {
    const around = kind === "Page" ? "LayoutData" : "LayoutParentData";
    return [["Load", `${kind}ServerData`, "LoadEvent"], ["ServerLoad", "undefined", "ServerLoadEvent"]].map(([name, data, event]) =>
      `export type ${kind}${name}Event = Event<import("@sveltejs/kit").${event}, ${data}, ${around}>;\nexport type ${kind}${name}<O = any> = (event: ${kind}${name}Event) => O | Promise<O>;\n`);
  });
  return `${COMMON}export type LayoutParentData = ${parent === undefined ? "{}" : `import(${JSON.stringify(types(parent))}).LayoutData`};
export type LayoutServerData = Loads<${of("+layout.server")}>;
export type PageServerData = Loads<${of("+page.server")}>;
export type LayoutData = Merge<LayoutParentData, ${loaded("+layout")}>;
export type PageData = Merge<LayoutData, ${loaded("+page")}>;
export type ActionData = Acts<${of("+page.server")}>;
export type PageProps = { params: RouteParams; data: PageData; form: ActionData };
export type LayoutProps = { params: RouteParams; data: LayoutData; children: import("svelte").Snippet };
${events.join("")}`;
}

/** @type {import("../components.mjs").Framework} */
export function written({ ts }, path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  /** @type {{ at: number, end: number, text: string }[]} */
  const edits = [];
  const insert = (/** @type {number} */ at, /** @type {string} */ one) => edits.push({ at, end: at, text: one });
  const name = basename(path);
  const loaded = `${name.startsWith("+page") ? "Page" : "Layout"}${name.includes(".server.") ? "Server" : ""}LoadEvent`;
  const isServer = name.startsWith("+server");
  /** The type of the event that an exported name takes. */
  const event = (/** @type {string} */ own) => (!isServer && own === "load" ? loaded : isServer && ANSWERING.test(own) ? "RequestEvent" : undefined);
  /** What takes an event of which nothing says the type. */
  const taking = (/** @type {Node} */ node, /** @type {string} */ type) => {
    const parameter = ts.isFunctionLike(node) && node.parameters.length === 1 ? node.parameters[0] : undefined;
    if (parameter && !parameter.type && text.slice(node.getStart(), parameter.getStart()).includes("(")) insert(parameter.name.end, `: import("./$types").${type}`);
  };
  for (const one of source.statements) {
    const own = ts.isFunctionDeclaration(one) && one.name ? event(one.name.text) : undefined;
    if (own) taking(one, own);
    for (const { name, type, initializer } of ts.isVariableStatement(one) ? one.declarationList.declarations : []) {
      if (!initializer || !ts.isIdentifier(name)) continue;
      const parameter = event(name.text);
      if (type && !isServer && /^(?:load|actions)$/.test(name.text)) {
        edits.push({ at: name.end, end: type.end, text: "" });
        insert(initializer.getStart(), "(");
        insert(initializer.end, `) satisfies ${type.getText()}`);
      } else if (!type && parameter) taking(initializer, parameter);
      else if (!type && name.text === "actions" && ts.isObjectLiteralExpression(initializer)) for (const each of initializer.properties) taking(ts.isPropertyAssignment(each) ? each.initializer : each, "RequestEvent");
    }
  }
  if (!edits.length) return { scripts: [], unread: [] };
  /** @type {import("../components.mjs").Piece[]} */
  const pieces = [];
  let whole = "";
  let from = 0;
  const copy = (/** @type {number} */ to) => {
    pieces.push({ start: whole.length, end: whole.length + to - from, from });
    whole += text.slice(from, to);
  };
  for (const { at, end, text: inserted } of edits) {
    copy(at);
    whole += inserted;
    from = end;
  }
  copy(text.length);
  return { scripts: [{ text: whole, kind: ts.ScriptKind.TS, pieces }], unread: [] };
}
