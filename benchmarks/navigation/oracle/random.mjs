// A small seeded generator (mulberry32), so that a run can be repeated: the third argument is the seed.

let state;

/** From the seed on, again: what is sampled next does not hang on how much was sampled before. */
export function restart() {
  state = Number(process.argv[4]) >>> 0;
}
restart();

function random() {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}

export const any = (list) => list[Math.floor(random() * list.length)];
export const take = (list) => list.splice(Math.floor(random() * list.length), 1)[0];
