import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "#server/testing/free-port.ts";
import { type Session, until } from "./session.ts";
import { openWebDriver } from "./webdriver.ts";
import { openBidi } from "./webdriver-bidi.ts";

type Browser = {
  name: string;
  missing(): string[];
  open(): Promise<Session>;
};

const processes: ChildProcess[] = [];
const folders: string[] = [];

export const browsers: Browser[] = [
  {
    name: "Firefox ESR",
    missing: () => (firefox() ? [] : ["firefox-esr"]),
    async open() {
      const port = await freePort();
      const profile = newFolder();
      run(firefox() ?? "", [
        "--headless",
        "--no-remote",
        "--profile",
        profile,
        "--remote-debugging-port",
        String(port),
      ]);
      return await until(() => openBidi(`ws://127.0.0.1:${port}`));
    },
  },
  {
    name: "WebKitGTK",
    missing: () => [
      ...(onPath("WebKitWebDriver") && miniBrowser() ? [] : ["webkit2gtk-driver"]),
      ...(onPath("Xvfb") ? [] : ["xvfb"]),
    ],
    async open() {
      const display = `:${100 + (process.pid % 900)}`;
      run("Xvfb", [display, "-screen", "0", "1280x1024x24", "-nolisten", "tcp"]);
      const port = await freePort();
      run("WebKitWebDriver", ["--host=127.0.0.1", `--port=${port}`], { DISPLAY: display });
      const browserOptions = { binary: miniBrowser(), args: ["--automation"] };
      return await openWebDriver(`http://127.0.0.1:${port}`, {
        "webkitgtk:browserOptions": browserOptions,
      });
    },
  },
];

export function closeBrowsers(): void {
  for (const child of processes.splice(0)) if (child.pid) endGroup(child.pid);
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Kills the whole process group, because browsers start child processes. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function run(program: string, args: string[], env: Record<string, string> = {}): void {
  const home = newFolder();
  const settings = { HOME: home, XDG_RUNTIME_DIR: home, ...env };
  const options = {
    detached: true,
    stdio: "ignore",
    env: { ...process.env, ...settings },
  } as const;
  const child = spawn(program, args, options);
  child.on("error", () => {});
  processes.push(child);
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "secondlap-browser-"));
  folders.push(folder);
  return folder;
}

const firefox = () => onPath("firefox-esr");
const miniBrowser = () => globSync("/usr/lib/*/webkit2gtk-4.*/MiniBrowser").at(-1);

function onPath(program: string): string | undefined {
  const places = (process.env.PATH ?? "").split(delimiter);
  return places.map((folder) => join(folder, program)).find((path) => existsSync(path));
}
