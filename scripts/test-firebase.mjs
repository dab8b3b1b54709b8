import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../server/testing/free-port.ts";
import { findChromium } from "./chromium.mjs";
import { build, installTools, node24 } from "./prepare.mjs";
import { environment, finish, root, run, withProgress } from "./run.mjs";

const version = "15.34.2";
const tools = join(root, "node_modules/.cache/firebase-tools");
const program = join(tools, "node_modules/firebase-tools/lib/bin/firebase.js");
const project = "demo-secondlap";
const temporary = mkdtempSync(join(tmpdir(), "secondlap-firebase-"));
process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));

/**
 * `npm run test:firebase`: tests with Firebase's Auth emulator. The first run installs
 * firebase-tools (270 MB). Needs no Java, no Firebase project and no login.
 */
await finish(async () => {
  const chromium = await findChromium();
  await build();
  await installTools(`Installing firebase-tools ${version}`, tools, { "firebase-tools": version });
  const [auth, hub, logging, shop] = await Promise.all([1, 2, 3, 4].map(() => freePort()));
  const emulator = await startEmulator({ auth, hub, logging });
  const env = environment({
    TMPDIR: temporary,
    CHROMIUM_PATH: chromium,
    E2E_PORT: String(shop),
    FIREBASE_AUTH_EMULATOR_HOST: `127.0.0.1:${auth}`,
    FIREBASE_TOOLS: program,
    FIREBASE_PROJECT_ID: project,
    FIREBASE_API_KEY: "any key",
    FIREBASE_AUTH_DOMAIN: `${project}.firebaseapp.com`,
  });
  try {
    const suites = { "Identity suite and move": "vitest run", "In the browser": "playwright test" };
    const codes = [];
    for (const [title, command] of Object.entries(suites)) {
      const { code } = await withProgress(title, () => runShown(command.split(" "), env), says);
      codes.push(code);
    }
    return codes.every((code) => code === 0) ? 0 : 1;
  } finally {
    emulator.kill("SIGTERM");
    await emulator.gone;
  }
});

async function runShown(command, env) {
  process.stdout.write("\n");
  return await run(command, { env, stdio: "inherit" });
}

function says({ code }) {
  return code === 0 ? "passed" : "failed";
}

/** `gone` resolves when the emulator exits. */
async function startEmulator({ auth, hub, logging }) {
  const at = (port) => ({ host: "127.0.0.1", port });
  const emulators = { auth: at(auth), hub: at(hub), logging: at(logging), ui: { enabled: false } };
  writeFileSync(join(temporary, "firebase.json"), JSON.stringify({ emulators }));
  const options = ["--only", "auth", "--project", project, "--non-interactive"];
  const emulator = spawn(node24(), [program, "emulators:start", ...options], {
    cwd: temporary,
    // Keeps the emulator's settings and logs out of the developer's home folder.
    env: { PATH: process.env.PATH, HOME: temporary, CI: "1" },
  });
  let said = "";
  for (const stream of [emulator.stdout, emulator.stderr])
    stream.on("data", (data) => {
      said += data;
    });
  const gone = once(emulator, "exit");
  await withProgress("Starting the Auth emulator", async () => {
    while (!(await answers(`http://127.0.0.1:${auth}/`))) {
      if (emulator.exitCode !== null) throw new Error(said);
      await wait(200);
    }
  });
  return { kill: (signal) => emulator.kill(signal), gone };
}

async function answers(url) {
  const response = await fetch(url).catch(() => undefined);
  return response?.ok === true;
}
