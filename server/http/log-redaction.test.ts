import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../testing/browser.ts";
import { createTestDatabase } from "../testing/create-test-database.ts";
import {
  freePorts,
  killPrograms,
  type Program,
  run,
  waitForExit,
  waitForReady,
} from "../testing/program.ts";
import { version } from "../version.ts";

const preload = `
  process.on("SIGUSR2", () => {
    console.error("Key (email)=(ada@example.com) already exists.");
    console.warn("No route matches", "/api/auth/callback/google?state=s3cretOfTheSignIn&code=4/c0deOfAda");
    console.log(new Error("to zoe%40example.com by postgres://u:hunter2@db/x"));
    throw new Error("no such member: bob@example.com");
  });
`;

let folder: string;
let program: Program;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-output-"));
  await writeFile(join(folder, "preload.mjs"), preload);
  const ports = await freePorts();
  url = `http://127.0.0.1:${ports.PORT}`;
  program = run({
    ...ports,
    DATABASE_URL: await createTestDatabase("output"),
    DATA_DIR: join(folder, "data"),
    LOG_LEVEL: "debug",
    NODE_OPTIONS: `--import=${join(folder, "preload.mjs")}`,
  });
  await waitForReady(program);
});
afterAll(async () => {
  killPrograms();
  await rm(folder, { recursive: true, force: true });
});

test("each log line has the version, and sign-ups and failed Google sign-ins log no email address, OAuth state or code", async () => {
  const browser = openBrowser(url);
  const person = { name: "Ada", email: "ada@example.com", password: "Secret#2026" };
  const signUps = await Promise.all(
    Array.from({ length: 8 }, () => browser.post("/sign-up/email", person)),
  );
  expect(signUps.filter(({ ok }) => ok)).toHaveLength(1);

  const begun = await browser.post("/sign-in/social", { provider: "google", callbackURL: "/" });
  const { url: google } = (await begun.json()) as { url: string };
  const state = new URL(google).searchParams.get("state") ?? "";
  expect(state.length).toBeGreaterThan(16);
  const callback = new URL("/api/auth/callback/google", url);
  const queries = [
    { state, code: "made-up-authorization-code" },
    { state: "state-that-was-never-issued", code: "made-up-authorization-code" },
    { state, error: "access_denied", error_description: "ada@example.com said no" },
  ];
  for (const query of queries) {
    callback.search = String(new URLSearchParams(query));
    expect((await browser.visit(callback)).status).toBe(302);
  }

  const logged = () => program.said.text.split('"route":"GET /callback/google"').length - 1;
  await expect.poll(logged).toBeGreaterThanOrEqual(queries.length);
  const lines = program.said.text.split("\n").slice(0, -1);
  const logLines = lines.filter((line) => line.startsWith("{"));
  expect(new Set(logLines.map((line) => JSON.parse(line).version))).toEqual(new Set([version]));
  for (const secret of ["ada@", state, "state-that-was-never", "made-up-authorization"])
    expect(program.said.text).not.toContain(secret);
});

test("console output and uncaught errors contain no email address, OAuth state or password", async () => {
  program.child.kill("SIGUSR2");
  const { code, said } = await waitForExit(program);
  expect(code).toBe(1);
  expect(said).toContain("Key (email)=([address]) already exists.");
  expect(said).toContain("no such member: [address]");
  for (const secret of ["ada@", "zoe", "bob@", "s3cretOfTheSignIn", "c0deOfAda", "hunter2"])
    expect(said).not.toContain(secret);
});

test("the output of the sandbox, npm run admin and npm run backup contains no email address", async () => {
  // The data folder is a file whose path contains an email address. Each error names that path.
  const file = join(folder, "ada@example.com");
  await writeFile(file, "");
  const sandbox = join(folder, "sandbox.mjs");
  const settings = { host: "127.0.0.1", port: 0, dataDir: file, webhookUrl: "http://127.0.0.1/" };
  await writeFile(
    sandbox,
    `import { startSandbox } from ${JSON.stringify(join(import.meta.dirname, "../adapters/sandbox-process.ts"))};
     await startSandbox({ ...${JSON.stringify(settings)}, origins: [] });`,
  );
  for (const program of [
    [sandbox],
    ["server/cli/admin.ts", "grant", "bea@example.com"],
    ["server/cli/backup.ts", "backup", join(folder, "copy")],
  ]) {
    const { code, said } = await waitForExit(run({ DATA_DIR: file }, program));
    expect(code).toBe(1);
    expect(said).toMatch(/\[address\]/);
    expect(said).not.toMatch(/ada@|bea@/);
  }
});
