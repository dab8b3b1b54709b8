import type { Store } from "./store.ts";

/** Replaces ids by objects, for paths such as `latest_charge` or `data.charge`. */
export function expand(store: Store, body: object, paths: string[] = []): object {
  return paths.reduce<object>((expanded, path) => follow(store, expanded, path.split(".")), body);
}

function follow(store: Store, node: object, [key = "", ...rest]: string[]): object {
  if (Array.isArray(node)) return node.map((item: object) => follow(store, item, [key, ...rest]));
  const value: unknown = Object.entries(node).find(([name]) => name === key)?.[1];
  const target = typeof value === "string" ? store.findAny(value) : value;
  if (typeof target !== "object" || target === null) return node;
  return { ...node, [key]: rest.length > 0 ? follow(store, target, rest) : target };
}
