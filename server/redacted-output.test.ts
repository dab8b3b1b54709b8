import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ended, freePorts, ready, run } from "./testing/program.ts";

/** What libraries write past the logger: to the console, and by an error that nobody catches. */
const preload = `
  process.on("SIGUSR2", () => {
    console.error("Key (email)=(ada@example.com) already exists.");
    console.warn("No route matches", "/api/auth/callback/google?state=s3cretOfTheSignIn&code=4/c0de");
    console.log(new Error("to zoe%40example.com by postgres://u:hunter2@db/x"));
    throw new Error("no such member: bob@example.com");
  });
`;

test("what a running program writes names no address, state or password, whichever way it comes out", async () => {
  const folder = await mkdtemp(join(tmpdir(), "secondlap-output-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "preload.mjs"), preload);
  const program = run({
    ...(await freePorts()),
    DATA_DIR: join(folder, "data"),
    NODE_OPTIONS: `--import=${join(folder, "preload.mjs")}`,
  });
  await ready(program);
  program.child.kill("SIGUSR2");
  const { code, said } = await ended(program);
  expect(code).toBe(1);
  expect(said).toContain("Key (email)=([address]) already exists.");
  expect(said).toContain("no such member: [address]");
  for (const secret of ["ada@", "zoe", "bob@", "s3cretOfTheSignIn", "c0de", "hunter2"])
    expect(said).not.toContain(secret);
}, 120_000);
