import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openBrowser } from "../testing/browser.ts";
import { freePorts, run, waitForExit, waitForReady } from "../testing/program.ts";

/** Libraries bypass the logger: they write to the console, or throw uncaught errors. */
const preload = `
  process.on("SIGUSR2", () => {
    console.error("Key (email)=(ada@example.com) already exists.");
    console.warn("No route matches", "/api/auth/callback/google?state=s3cretOfTheSignIn&code=4/c0de");
    console.log(new Error("to zoe%40example.com by postgres://u:hunter2@db/x"));
    throw new Error("no such member: bob@example.com");
  });
`;

test("console output and uncaught errors name no address, OAuth state or password", async () => {
  const folder = await mkdtemp(join(tmpdir(), "secondlap-output-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "preload.mjs"), preload);
  const program = run({
    ...(await freePorts()),
    DATA_DIR: join(folder, "data"),
    NODE_OPTIONS: `--import=${join(folder, "preload.mjs")}`,
  });
  await waitForReady(program);
  program.child.kill("SIGUSR2");
  const { code, said } = await waitForExit(program);
  expect(code).toBe(1);
  expect(said).toContain("Key (email)=([address]) already exists.");
  expect(said).toContain("no such member: [address]");
  for (const secret of ["ada@", "zoe", "bob@", "s3cretOfTheSignIn", "c0de", "hunter2"])
    expect(said).not.toContain(secret);
});

test("concurrent sign-ups with one address and failed Google sign-ins leave no address or state in the output", async () => {
  const folder = await mkdtemp(join(tmpdir(), "secondlap-output-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const ports = await freePorts();
  const settings = { ...ports, DATA_DIR: join(folder, "data"), LOG_LEVEL: "debug" };
  const program = run(settings);
  await waitForReady(program);
  const browser = openBrowser(`http://127.0.0.1:${ports.PORT}`);

  const person = { name: "Ada", email: "ada@example.com", password: "Secret#2026" };
  const signUps = await Promise.all(
    Array.from({ length: 8 }, () => browser.post("/sign-up/email", person)),
  );
  expect(signUps.filter(({ ok }) => ok)).toHaveLength(1);

  const begun = await browser.post("/sign-in/social", { provider: "google", callbackURL: "/" });
  const { url } = (await begun.json()) as { url: string };
  const state = new URL(url).searchParams.get("state") ?? "";
  expect(state.length).toBeGreaterThan(16);
  const callback = new URL(`/api/auth/callback/google`, `http://127.0.0.1:${ports.PORT}`);
  for (const query of [
    { state, code: "made-up-authorization-code" },
    { state: "state-that-was-never-issued", code: "made-up-authorization-code" },
    { state, error: "access_denied", error_description: "ada@example.com said no" },
  ]) {
    callback.search = String(new URLSearchParams(query));
    expect((await browser.visit(callback)).status).toBe(302);
  }

  program.child.kill("SIGTERM");
  const { said } = await waitForExit(program);
  expect(said).toContain('"route":"GET /callback/google"');
  for (const secret of ["ada@", state, "state-that-was-never", "made-up-authorization"])
    expect(said).not.toContain(secret);
});

test("the output of the sandbox, of npm run admin and of npm run backup names no address", async () => {
  const folder = await mkdtemp(join(tmpdir(), "secondlap-output-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // A file where a folder is expected: the error of each program names its path.
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
