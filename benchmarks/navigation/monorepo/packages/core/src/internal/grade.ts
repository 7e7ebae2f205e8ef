import { Fruit, Ripeness } from "../fruit";

type Grade = "A" | "B" | "C";

export function grade(fruit: Fruit): Grade {
  switch (fruit.ripeness) {
    case Ripeness.Ripe:
      return "A";
    case Ripeness.Green:
      return "B";
    default:
      return "C";
  }
}
