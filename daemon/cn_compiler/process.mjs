// A worker's side of its process: JSON-RPC over stdin and stdout, framed as in LSP, and a note for the daemon. The first
// argument is the note's descriptor: in that file stands what text is read at the moment, and since when (`[path, ms since
// 1970]`, a line), so that the daemon knows which text it was that ended the process, or took all the time. Behind it the
// daemon writes the number of a request for whose answer nobody waits any more.

import { readSync, writeSync } from "node:fs";

/** @typedef {{ id?: number, method: string, params: any }} Request */

const NOTE = Number(process.argv[2]);
/** Note what is read now; nothing: "". A message would wake the daemon for each text. */
export function noting(/** @type {string} */ path) {
  const note = Buffer.from(path ? `${JSON.stringify([path, Date.now()])}\n` : "\n");
  writeSync(NOTE, note, 0, note.length, 0);
}

/** Where the number of a request that was given up stands in the note: 8 bytes, the lowest first. As in `note.py`. */
const GIVEN_UP = 32_768;
/** Whether a request was given up is looked at no more often, in ms. */
const OFTEN = 20;
let answering = 0;
/** Whether the time of the request that is being answered is over, or nobody waits for it any more. ms: its time, from now. */
export function lateness(/** @type {number} */ ms) {
  const number = answering;
  const until = Date.now() + ms;
  const bytes = new Uint8Array(8);
  const given = new DataView(bytes.buffer);
  let next = 0;
  let isLate = false;
  return () => {
    const now = Date.now();
    if (isLate || now < next) return isLate;
    next = Math.min(now + OFTEN, until);
    readSync(NOTE, bytes, 0, 8, GIVEN_UP);
    return (isLate = now >= until || given.getBigUint64(0, true) === BigInt(number));
  };
}

function send(/** @type {object} */ message) {
  let rest = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
  rest = Buffer.concat([Buffer.from(`Content-Length: ${rest.length}\r\n\r\n`), rest]);
  while (rest.length) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (/** @type {any} */ (error).code !== "EAGAIN") process.exit(0); // nobody reads any more
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

/** Answer what comes, until nobody asks any more. afterwards: done when an answer is sent. */
export function serve(/** @type {Record<string, (params: any) => any>} */ methods, /** @type {() => void} */ afterwards = () => {}) {
  function answer(/** @type {Request} */ { id, method, params }) {
    answering = id ?? 0;
    try {
      if (!(method in methods)) throw new Error(`no method ${method}`);
      send({ id, result: methods[method](params) });
    } catch (error) {
      send({ id, error: { code: -32603, message: String(/** @type {Error} */ (error).stack ?? error) } });
    } finally {
      noting("");
    }
    setImmediate(afterwards);
  }
  let buffer = Buffer.alloc(0);
  process.stdin.on("data", (chunk) => {
    buffer = Buffer.concat([buffer, /** @type {Buffer} */ (chunk)]);
    for (;;) {
      const header = /^Content-Length: (\d+)\r\n\r\n/.exec(buffer.subarray(0, 64).toString("latin1"));
      if (!header || buffer.length < header[0].length + Number(header[1])) return;
      const end = header[0].length + Number(header[1]);
      const request = JSON.parse(buffer.subarray(header[0].length, end).toString("utf8"));
      buffer = buffer.subarray(end);
      answer(request);
    }
  });
  process.stdin.on("end", () => process.exit(0));
}
