import { once } from "node:events";
import { expect, test } from "vitest";
import { freePort } from "./free-port.ts";
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

test("no port is given to two programs, even before the first program listens on it", async () => {
  const ports = await Promise.all(Array.from({ length: 300 }, () => freePort()));
  expect(new Set(ports).size).toBe(ports.length);
});
