import { expect, test } from "vitest";
import { collectWarnings } from "./serve.ts";

test("a warning reported before the app exists is logged as soon as the app exists", () => {
  const logged: unknown[] = [];
  const warnings = collectWarnings();
  warnings.warn({ replica: "one" }, "a replica is read from");
  warnings.logTo({ warn: (...warning) => logged.push(warning) });
  warnings.warn({ replica: "two" }, "a replica is left out");
  expect(logged).toEqual([
    [{ replica: "one" }, "a replica is read from"],
    [{ replica: "two" }, "a replica is left out"],
  ]);
});
