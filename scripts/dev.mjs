import { spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { join } from "node:path";
import { install, node24 } from "./prepare.mjs";
import { environment, finish, root } from "./run.mjs";

const watched = ["contract", "server", "sandbox", "demo"];

/** `npm run dev`: restarts the server when its files change. Vite reloads the web app. */
await finish(async () => {
  await install();
  const changes = watchChanges();
  const stop = stopOnSignals();
  while (!stop.requested) {
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
  const stdio = ["inherit", "inherit", "inherit", "ipc"];
  return spawn(node24(), ["server/main.ts"], { cwd: root, env, stdio });
}

/** Watches for changes, and waits 100 ms more for files saved at the same time. */
function watchChanges() {
  let notify = () => {};
  for (const folder of watched) {
    watch(join(root, folder), { recursive: true }, (_, file) => {
      if (file && /\.(ts|sql)$/.test(file) && !file.endsWith(".test.ts")) notify();
    });
  }
  return {
    async next() {
      await new Promise((resolve) => {
        notify = resolve;
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
    },
  };
}

function stopOnSignals() {
  const stop = { requested: false };
  stop.signal = new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) {
      process.on(signal, () => {
        stop.requested = true;
        resolve();
      });
    }
  });
  return stop;
}
