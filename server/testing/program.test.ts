import { once } from "node:events";
import { expect, test } from "vitest";
import { run, waitForExit, waitForReady } from "./program.ts";

test.each([
  ["by itself", "process.exit(3)", 3],
  ["by a signal", "process.kill(process.pid, 'SIGKILL')", null],
])("waiting for a program that has already ended %s does not hang", async (_, script, code) => {
  const program = run({}, ["--eval", script]);
  await once(program.child, "exit");
  expect(await waitForExit(program)).toEqual({ code, said: "" });
  await expect(waitForReady(program)).rejects.toThrow("it ended");
});
