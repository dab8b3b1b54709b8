import { spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { join } from "node:path";
import { install, node24 } from "./prepare.mjs";
import { environment, finish, root } from "./run.mjs";

const watched = ["contract", "server", "sandbox", "demo"];

/** `npm run dev`: the server starts again when a file of its own changes; the web app reloads by itself. */
await finish(async () => {
  await install();
  const changes = watchChanges();
  const stop = stopOnSignals();
  while (!stop.asked) {
    const server = startServer();
    const ended = once(server, "close");
    await Promise.race([changes.next(), stop.signal]);
    server.kill("SIGTERM");
    await ended;
  }
  process.exit();
});

function startServer() {
  const env = environment({ NODE_ENV: "development" });
  return spawn(node24(), ["server/main.ts"], { cwd: root, env, stdio: "inherit" });
}

/** Waits for the next change of a source file, and for the rest of what is saved with it. */
function watchChanges() {
  let tell = () => {};
  for (const folder of watched) {
    watch(join(root, folder), { recursive: true }, (_, file) => {
      if (file && /\.(ts|sql)$/.test(file) && !file.endsWith(".test.ts")) tell();
    });
  }
  return {
    async next() {
      await new Promise((resolve) => {
        tell = resolve;
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
    },
  };
}

function stopOnSignals() {
  const stop = { asked: false };
  stop.signal = new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) {
      process.on(signal, () => {
        stop.asked = true;
        resolve();
      });
    }
  });
  return stop;
}
