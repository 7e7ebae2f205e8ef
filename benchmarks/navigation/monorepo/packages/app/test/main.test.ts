import run, { run as named, Shop } from "../src/main";
import { Ripeness as State } from "@orchard/core";

export const expected = { state: State.Ripe, run: named === run };

export const total = (): number => Shop.open().till;
