// A client of the TypeScript SDK, 1.x or 2.x, over any transport. Reads one JSON object from the command line:
// {sdk: "1"|"2", folder, era?, transport: {kind, command?, args?, cwd?, env?, url?, token?}, steps: [[method, …arguments]]}.
// Prints one line of JSON: what each step gave, the progress heard, and what was negotiated.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const order = JSON.parse(process.argv[2]);
const require = createRequire(order.folder + "/");
const load = (name) => import(pathToFileURL(require.resolve(name)).href);

async function sdk() {
  if (order.sdk === "1") {
    const at = "@modelcontextprotocol/sdk/client/";
    return Object.assign(
      {},
      await load(at + "index.js"),
      await load(at + "stdio.js"),
      await load(at + "streamableHttp.js"),
      await load(at + "sse.js"),
    );
  }
  return Object.assign({}, await load("@modelcontextprotocol/client"), await load("@modelcontextprotocol/client/stdio"));
}

function transport(kit) {
  const { kind, url, token, command, args, cwd, env } = order.transport;
  if (kind === "stdio") return new kit.StdioClientTransport({ command, args, cwd, env, stderr: "inherit" });
  const requestInit = token ? { headers: { Authorization: `Bearer ${token}` } } : {};
  if (kind === "http") return new kit.StreamableHTTPClientTransport(new URL(url), { requestInit });
  return new kit.SSEClientTransport(new URL(url), { requestInit });
}

const kit = await sdk();
const options = order.sdk === "2" ? { versionNegotiation: { mode: order.era ?? "auto" } } : {};
const client = new kit.Client({ name: "foreign", version: "1" }, options);
await client.connect(transport(kit));
const results = [];
const progress = [];
for (const [method, ...rest] of order.steps) {
  try {
    const heard = { onprogress: (one) => progress.push(one) };
    const extra = method === "callTool" ? (order.sdk === "1" ? [undefined, heard] : [heard]) : [];
    results.push(await client[method](...rest, ...extra));
  } catch (error) {
    results.push({ thrown: String(error.message ?? error), code: error.code, data: error.data });
  }
}
const told = { server: client.getServerVersion(), instructions: client.getInstructions(), results, progress };
// What is left in a pipe when the process exits is lost.
await new Promise((written) => process.stdout.write(JSON.stringify(told) + "\n", written));
await client.close();
process.exit(0);
