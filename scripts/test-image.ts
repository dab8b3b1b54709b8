import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startEmbeddedPostgres } from "../server/db/embedded-postgres/embedded-postgres.ts";
import { signUpAt } from "../server/testing/browser.ts";
import { freePort } from "../server/testing/free-port.ts";
import { callsOver, photo, uploadPhoto } from "../server/testing/marketplace.ts";

/**
 * `npm run test:image`: makes the base images from Debian's packages and this Node. `--registry`
 * uses the Dockerfile's base images, and `--built` runs the image from the last run.
 */
const { values } = parseArgs({
  options: {
    registry: { type: "boolean", default: false },
    built: { type: "boolean", default: false },
  },
});
const maxMegabytes = 120;
const root = join(import.meta.dirname, "..");
/** A folder for images and layers, separate from the machine's own. */
const storage = join(root, "node_modules/.cache/image");

function call(command: string, args: string[], env: Record<string, string> = {}): string {
  return execFileSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1e8,
  }).trim();
}

function buildah(...args: string[]): string {
  const own = ["--root", join(storage, "storage"), "--runroot", join(storage, "run")];
  return call("buildah", [...own, ...args], { BUILDAH_ISOLATION: "chroot", TMPDIR: folder });
}

async function timed<T>(part: string, work: () => T | Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  print(`${part}: ${Math.round((performance.now() - start) / 1_000)} s`);
  return result;
}

requirePrograms();
const folder = mkdtempSync(join(tmpdir(), "secondlap-image-"));
try {
  if (!values.built) await build();
  const bytes = await timed("Compressing the image", compressedBytes);
  if (bytes > maxMegabytes * 1e6) throw new Error(`The image has ${bytes} bytes.`);
  print(`Image: ${(bytes / 1e6).toFixed(1)} MB compressed, at most ${maxMegabytes}`);
  await timed("Running the image", runImage);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function build(): Promise<void> {
  buildah("rm", "--all");
  buildah("rmi", "--all", "--force");
  const bases = values.registry ? [] : await timed("Bases of Debian's packages", makeBases);
  const tag = ["-t", "localhost/secondlap"];
  const command = ["bud", "-q", "-f", "deploy/Dockerfile", ...bases, ...npmSettings(), ...tag, "."];
  await timed("Building deploy/Dockerfile", () => buildah(...command));
}

function requirePrograms(): void {
  const missing = ["buildah", "bwrap", "mmdebstrap"].filter((name) =>
    (process.env.PATH ?? "").split(":").every((path) => !existsSync(join(path, name))),
  );
  if (missing.length > 0)
    throw new Error(
      `This needs ${missing.join(", ")}. On Debian: apt-get install buildah bubblewrap mmdebstrap`,
    );
}

/** For machines that can't reach a registry. */
function makeBases(): string[] {
  const build = importDebian("build", [
    "--variant=essential",
    "--include=ca-certificates,libstdc++6",
  ]);
  const { npm_execpath: cli = "" } = process.env;
  if (basename(cli) !== "npm-cli.js") throw new Error("Run this by npm run test:image.");
  const npm = join(dirname(cli), "..");
  buildah("copy", "-q", build, process.execPath, "/usr/local/bin/node");
  buildah("copy", "-q", build, npm, "/usr/local/lib/node_modules/npm");
  for (const name of ["npm", "npx"]) {
    const link = `ln -s ../lib/node_modules/npm/bin/${name}-cli.js /usr/local/bin/${name}`;
    buildah("run", build, "--", "sh", "-c", link);
  }
  buildah("config", "--env", "PATH=/usr/local/bin:/usr/bin:/bin", build);
  const run = importDebian("run", ["--variant=extract", "--include=libc6,libstdc++6,base-files"]);
  return [
    "--build-arg",
    `BUILD_BASE=${commit(build, "build")}`,
    "--build-arg",
    `RUN_BASE=${commit(run, "run")}`,
  ];
}

function importDebian(name: string, options: string[]): string {
  const archive = join(folder, `${name}.tar`);
  call("mmdebstrap", ["--quiet", ...options, "bookworm", archive]);
  const container = buildah("from", "scratch");
  buildah("add", "-q", container, archive, "/");
  return container;
}

function commit(container: string, name: string): string {
  const image = `localhost/secondlap-${name}-base`;
  buildah("commit", "-q", "--rm", container, image);
  return image;
}

/** Returns options that pass on npm's settings, such as a custom registry and certificates. */
function npmSettings(): string[] {
  const own = process.env.npm_config_userconfig ?? "";
  const settings = join(folder, "npmrc");
  const lines = existsSync(own) ? readFileSync(own, "utf8") : "";
  writeFileSync(settings, `${lines}\ncafile=/etc/ssl/certs/ca-certificates.crt\n`);
  const mounts = [
    `${settings}:/root/.npmrc`,
    "/etc/ssl/certs:/etc/ssl/certs",
    "/etc/hosts:/etc/hosts",
  ];
  return mounts.flatMap((mount) => ["--volume", `${mount}:ro`]);
}

function compressedBytes(): number {
  const pushed = join(folder, "pushed");
  buildah("push", "-q", "--compression-format", "gzip", "localhost/secondlap", `oci:${pushed}`);
  const blobs = globSync(join(pushed, "blobs/sha256/*"));
  return blobs.reduce((sum, blob) => sum + statSync(blob).size, 0);
}

async function runImage(): Promise<void> {
  const container = buildah("from", "localhost/secondlap");
  const files = buildah("mount", container);
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, "data") });
  try {
    const shells = globSync(join(files, "{bin,usr/bin}/*sh"));
    if (shells.length > 0) throw new Error(`The image has a shell: ${shells}`);
    const port = await freePort();
    const shop = spawn("bwrap", sandboxed(files, settings(postgres.url, port)), {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(shop, "exit");
    const early = ended.then(([code]) => Promise.reject(new Error(`It ended with ${code}.`)));
    early.catch(() => {});
    shop.stdout.resume();
    await Promise.race([untilReady(`http://127.0.0.1:${port}`), early]);
    for (const path of ["/", "/api/categories"]) {
      const { status } = await fetch(`http://127.0.0.1:${port}${path}`);
      if (status !== 200) throw new Error(`${path} was answered ${status}.`);
    }
    await uploadsPhoto(`http://127.0.0.1:${port}`);
    print("It takes a photo, and runs as the user 65532, without a shell, on a read-only root");
    shop.kill("SIGTERM");
    await ended;
  } finally {
    await postgres.stop();
    buildah("rm", container);
  }
}

/** Polls `/readyz`, because a warning may be printed before the port is open. */
async function untilReady(url: string): Promise<void> {
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await wait(200);
}

/** Tests an upload, which needs a writable folder and the decoder's process and library. */
async function uploadsPhoto(url: string): Promise<void> {
  const seller = callsOver(await signUpAt(url, "seller@example.com", "seller"));
  const answer = await uploadPhoto(seller, await photo());
  if (answer.status !== 200)
    throw new Error(`A photo was answered ${answer.status}: ${await answer.text()}`);
}

type ImageConfig = {
  User: string;
  WorkingDir: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
};

/** Wraps a command as in a container engine: only /data is writable, and without capabilities. */
function sandboxed(files: string, variables: Record<string, string>): string[] {
  const inspected = JSON.parse(buildah("inspect", "--type", "image", "localhost/secondlap"));
  const image = (inspected as { OCIv1: { config: ImageConfig } }).OCIv1.config;
  const [uid = "0", gid = "0"] = image.User.split(":");
  if (Number(uid) === 0) throw new Error("The image runs as root.");
  const environment = [...image.Env, ...Object.entries(variables).map((entry) => entry.join("="))];
  return [
    "--ro-bind",
    files,
    "/",
    "--tmpfs",
    "/data",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--unshare-user",
    "--unshare-pid",
    "--uid",
    uid,
    "--gid",
    gid,
    "--cap-drop",
    "ALL",
    "--die-with-parent",
    "--chdir",
    image.WorkingDir,
    "--clearenv",
    ...environment.flatMap((line) => {
      const [name = "", ...value] = line.split("=");
      return ["--setenv", name, value.join("=")];
    }),
    ...image.Entrypoint,
    ...image.Cmd,
  ];
}

/** The test never calls these hosted services. */
function settings(databaseUrl: string, port: number): Record<string, string> {
  return {
    STAGING: "1",
    HOST: "127.0.0.1",
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    SECRET: "of the image's test, 32 characters",
    STRIPE_SECRET_KEY: "sk_test_image",
    STRIPE_PUBLISHABLE_KEY: "pk_test_image",
    STRIPE_WEBHOOK_SECRET: "whsec_image",
    STRIPE_CONNECT_WEBHOOK_SECRET: "whsec_connect",
    SMTP_URL: "smtps://mail.example.com",
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
