import { Counter, type Registry } from "prom-client";
import { type Change, committedChanges } from "../db/committed-changes.ts";

/**
 * Counts committed state changes by object and verb, as in the audit log. Returns a function that
 * stops counting.
 */
export function countStateChanges(registry: Registry): () => void {
  const changes = new Counter({
    name: "secondlap_state_changes_total",
    help: "Committed state changes, by object and verb, such as booking and hold",
    labelNames: ["object", "verb"],
    registers: [registry],
  });
  const count = (message: unknown) => {
    const { object, verb } = message as Change;
    changes.inc({ object, verb });
  };
  committedChanges.subscribe(count);
  return () => void committedChanges.unsubscribe(count);
}
