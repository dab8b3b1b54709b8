import type { Transfer } from "./objects.ts";
import type { Store } from "./store.ts";
import { withReversals } from "./transfers.ts";

/** Replaces the IDs at paths such as `latest_charge` or `data.charge` with the objects. */
export function expand(store: Store, body: object, paths: string[] = []): object {
  return paths.reduce<object>((expanded, path) => follow(store, expanded, path.split(".")), body);
}

/** A charge contains its ten newest refunds, and only if they are expanded. */
function included(store: Store, node: object, key: string): object | undefined {
  if (key !== "refunds" || !("object" in node) || node.object !== "charge") return undefined;
  const charge = "id" in node ? String(node.id) : "";
  const found = store.list("refund", { charge, limit: 11 });
  const url = `/v1/charges/${charge}/refunds`;
  return { object: "list", data: found.slice(0, 10), has_more: found.length > 10, url };
}

function isTransfer(found: unknown): found is Transfer {
  return found instanceof Object && "object" in found && found.object === "transfer";
}

function follow(store: Store, node: object, [key = "", ...rest]: string[]): object {
  if (Array.isArray(node)) return node.map((item: object) => follow(store, item, [key, ...rest]));
  const value: unknown = Object.entries(node).find(([name]) => name === key)?.[1];
  const found =
    typeof value === "string" ? store.findAny(value) : (value ?? included(store, node, key));
  const target = isTransfer(found) ? withReversals(store, found) : found;
  if (typeof target !== "object" || target === null) return node;
  return { ...node, [key]: rest.length > 0 ? follow(store, target, rest) : target };
}
