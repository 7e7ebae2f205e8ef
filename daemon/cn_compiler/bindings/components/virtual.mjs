// A text of TypeScript that is written from pieces of a component, and the way back: where in the component a place of it
// stands. What is written beside the pieces stands nowhere.

/**
 * @typedef {{ start: number, end: number, from: number, isTemplate: boolean, isOfInstance?: boolean, apart?: Apart }} Piece
 * start, end: in what is written
 * @typedef {{ names: Set<string>, isPage: boolean }} Apart a script for browsers: names of the component that it is given;
 * isPage: whether it shares its own with the other scripts of a page
 */

export class Virtual {
  /** @type {Piece[]} */
  #pieces = [];
  /** @type {string[]} */
  #texts = [];
  #length = 0;
  /** Whether what is copied now stands in a template: what it names need not be declared by a script. */
  isTemplate = false;
  /** Whether it names what an instance has, and nothing of the scripts' scopes: they set nothing up. */
  isOfInstance = false;
  /** Whether what is copied now runs elsewhere than the component. @type {Apart | undefined} */
  apart;
  /** How many errors of syntax the component has beside those of its scripts. */
  errors = 0;
  /** What a template declares for other components. @type {import("./parts.mjs").Part[]} */
  parts = [];
  /** Of what an instance is given, the name by which it is, where its script has another one. @type {Map<string, string>} */
  given = new Map();
  /** Where what stands in the component is not copied, and may name something. @type {[number, number][]} */
  unread = [];

  /** @param {string} source the component's text @param {".js" | ".jsx" | ".ts" | ".tsx"} ending what its scripts are */
  constructor(source, ending) {
    this.source = source;
    this.ending = ending;
  }
  get text() {
    return this.#texts.join("");
  }
  write(/** @type {string} */ text) {
    this.#texts.push(text);
    this.#length += text.length;
    return this;
  }
  /** What stands in the component from one offset to another. */
  copy(/** @type {number} */ from, /** @type {number} */ to) {
    return this.name(this.source.slice(from, to), from);
  }
  /** A text that stands for what is in the component at an offset. */
  name(/** @type {string} */ text, /** @type {number} */ from) {
    this.#pieces.push({ start: this.#length, end: this.#length + text.length, from, isTemplate: this.isTemplate, isOfInstance: this.isOfInstance, apart: this.apart });
    return this.write(text);
  }
  /** The parameters of a component's type, `T extends Item, U = T`: to its script each is a type. */
  generics(/** @type {number} */ from, /** @type {number} */ to) {
    const text = this.source.slice(from, to);
    let depth = 0;
    let start = 0;
    for (let at = 0; at <= text.length; at++) {
      if ("<([{".includes(text[at] ?? " ")) depth++;
      else if (")]}".includes(text[at] ?? " ") || (text[at] === ">" && text[at - 1] !== "=")) depth--;
      if (at < text.length && (text[at] !== "," || depth > 0)) continue;
      const [head = "", name = ""] = /^\s*(?:const\s+)?([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(text.slice(start, at)) ?? [];
      const end = from + start + head.length;
      if (name) this.write("type ").copy(end - name.length, end).write(" = <_ ").copy(end, from + at).write(">() => void;\n");
      start = at + 1;
    }
  }
  /** Where the next text will be written. */
  get length() {
    return this.#length;
  }
  /** Pieces of a text that was written by somebody else. */
  map(/** @type {Piece} */ piece) {
    this.#pieces.push(piece);
  }

  /** The piece that holds an offset of what is written. */
  piece(/** @type {number} */ at) {
    let low = 0;
    let high = this.#pieces.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#pieces[middle].start <= at) low = middle + 1;
      else high = middle;
    }
    const found = this.#pieces[low - 1];
    return found && at < found.end ? found : undefined;
  }
  /** Where in the component it stands, or -1. */
  at(/** @type {number} */ offset) {
    const piece = this.piece(offset);
    return piece ? piece.from + offset - piece.start : -1;
  }
}
