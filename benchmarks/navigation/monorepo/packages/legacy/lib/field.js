export class Field {
  #rows = [];

  constructor(width) {
    this.width = width;
  }

  get size() {
    return this.#rows.length;
  }

  put(variety) {
    this.#rows.push(variety);
  }

  clear() {
    this.#rows = [];
  }
}
