import { Fruit } from "../fruit";

export interface Tree<T extends Fruit = Fruit> {
  fruit: T[];
  branches?: Tree<T>[];
}

declare global {
  interface OrchardRegistry {
    trees: Tree[];
  }
}

declare module "../fruit" {
  interface Fruit {
    tree?: Tree;
  }
}

export const describeTree = (tree: Tree): string => {
  const walk = (one: Tree, depth: number): string[] => {
    const own = one.fruit.map((fruit) => `${" ".repeat(depth)}${fruit.name}`);
    const deeper = (one.branches ?? []).flatMap((branch) => walk(branch, depth + 1));
    return [...own, ...deeper];
  };
  return walk(tree, 0).join("\n");
};
