import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";
import * as operations from "#contract/operations.ts";
import { readConfig, settingNames } from "#server/config.ts";
import { openDatabase } from "#server/db/database.ts";
import { serverTimeouts } from "#server/http/request-limits.ts";
import { secretFileNames } from "#server/settings/secrets.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, "deploy", path), "utf8");
const readYaml = (path: string) => parse(read(path), { merge: true });
const folder = mkdtempSync(join(tmpdir(), "secondlap-deploy-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Env = Record<string, string>;
type Named = { name: string; value: string };

/** After `SHUTDOWN_DELAY`, requests and then jobs have this many seconds in total to finish. */
const finishSeconds = 20;

const compose = readYaml("compose/compose.yaml");
type Node = { image: string; environment: Env; read_only: boolean; tmpfs: string[] };
const nodes = Object.entries<Node>(compose.services).filter(([name]) => name.startsWith("node"));
const deployment = readYaml("kubernetes/base/deployment.yaml");
const [container] = deployment.spec.template.spec.containers;
const unit = read("systemd/secondlap@.service");
const backupUnit = read("systemd/secondlap-backup.service");
const imageEnv: Env = Object.fromEntries(
  [...read("Dockerfile").matchAll(/^ENV (.*)$/gm)].flatMap(([, line = ""]) => pairs(line)),
);

function pairs(line: string): [string, string][] {
  return line.split(" ").map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return [name, value.join("=")];
  });
}

function literals(path: string): Env {
  const lines: string[] = readYaml(path).configMapGenerator[0].literals;
  return Object.fromEntries(lines.flatMap((line) => pairs(line)));
}

function listed(path: string): Env {
  const { env }: { env: Named[] } = readYaml(path).spec.template.spec.containers[0];
  return Object.fromEntries(env.map(({ name, value }) => [name, value]));
}

/** Values that operators fill in (docs/operations.md). */
const shop = {
  SITE: "laptops.example.com",
  STRIPE_PUBLISHABLE_KEY: "pk_live_1",
  PUBLIC_URL: "https://laptops.example.com",
};
const inCompose = Object.fromEntries(
  Object.entries<string>(nodes[0]?.[1].environment ?? {}).map(([name, value]) => [
    name,
    value
      .replace(/\$\{(\w+):-(\w*)\}/, "$2")
      .replace(/\$\{(\w+):\?[^}]*\}/, (_, variable: keyof typeof shop) => shop[variable]),
  ]),
);
const kubernetes: Env = Object.assign(
  {},
  listed("kubernetes/base/deployment.yaml"),
  listed("kubernetes/example/databases.yaml"),
  literals("kubernetes/base/kustomization.yaml"),
  literals("kubernetes/example/kustomization.yaml"),
);
const severalMachines = read("systemd/several-machines.conf");
const environmentOf = (text: string): Env =>
  Object.fromEntries(
    [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = ""]) => pairs(line)),
  );
const systemd = environmentOf(unit);
const onSeveralMachines = {
  ...systemd,
  ...environmentOf(severalMachines),
  S3_BUCKET: "photos",
  S3_REGION: "us-east-1",
  S3_ACCESS_KEY_ID: "an-id",
};

const environments: [string, Env][] = [
  ["Compose", { ...imageEnv, ...inCompose }],
  ["Kubernetes", { ...imageEnv, ...kubernetes, STRIPE_PUBLISHABLE_KEY: "pk_live_1" }],
  ["systemd", { ...shop, ...systemd, PORT: "3001" }],
  ["systemd on several machines", { ...shop, ...onSeveralMachines, PORT: "3001" }],
];

test.for(environments)("%s configures nodes with valid settings for production", ([, env]) => {
  const known = [...settingNames, ...secretFileNames];
  const others = ["HOME", "PATH", "TMPDIR", "MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "SITE"];
  const names = Object.keys(env).filter((name) => !others.includes(name));
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
  const config = readConfig({ ...env, ...writeSecrets(env) });
  const previousSecret = secretValues.previous_secret;
  expect(config).toMatchObject({ production: true, publicUrl: shop.PUBLIC_URL, previousSecret });
  expect(config.shutdownDelayMs).toBeGreaterThan(0);
});

const secretValues: Env = {
  secret: "x".repeat(32),
  previous_secret: "y".repeat(32),
  stripe_secret_key: "sk_live_1",
  smtp_url: "smtps://mail.example.com",
};

/** Returns the files' paths by setting. */
function writeSecrets(env: Env): Env {
  const files = Object.entries(env).filter(([name]) => name.endsWith("_FILE"));
  expect(files.length).toBeGreaterThan(5);
  return Object.fromEntries(
    files.map(([name, path]) => {
      const file = basename(path);
      expect(`${file.toUpperCase()}_FILE`).toBe(name);
      const value = file.startsWith("database") ? `postgres://a:b@${file}/x` : `a ${file}`;
      writeFileSync(join(folder, file), secretValues[file] ?? value);
      return [name, join(folder, file)];
    }),
  );
}

test("a node's stop timeout is longer than SHUTDOWN_DELAY plus the time for remaining work", () => {
  const stops = [
    [
      nodes[0]?.[1].environment.SHUTDOWN_DELAY,
      Number.parseInt(compose["x-node"].stop_grace_period, 10),
    ],
    [kubernetes.SHUTDOWN_DELAY, deployment.spec.template.spec.terminationGracePeriodSeconds],
    [systemd.SHUTDOWN_DELAY, Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])],
  ];
  for (const [delay, seconds] of stops)
    expect(seconds).toBeGreaterThan(Number(delay) + finishSeconds);
});

test("load balancers notice a stopping node within SHUTDOWN_DELAY", () => {
  const [, interval] = /health_interval (\d+)s/.exec(read("compose/Caddyfile")) ?? [];
  const [, timeout] = /health_timeout (\d+)s/.exec(read("compose/Caddyfile")) ?? [];
  expect(Number(interval) + Number(timeout)).toBeLessThan(Number(inCompose.SHUTDOWN_DELAY));
  const { periodSeconds, failureThreshold } = container.readinessProbe;
  expect(periodSeconds * failureThreshold).toBeLessThan(Number(kubernetes.SHUTDOWN_DELAY));
});

test("Caddy closes idle connections before nodes do", () => {
  const [, seconds] = /^\s*keepalive (\d+)s$/m.exec(read("compose/Caddyfile")) ?? [];
  const { keepAliveTimeout } = serverTimeouts(readConfig({ TRUST_PROXY: inCompose.TRUST_PROXY }));
  expect(Number(seconds) * 1_000).toBeLessThan(keepAliveTimeout);
});

test("probes and proxies use ports and paths that exist", () => {
  const { isReady, isHealthy } = operations;
  const ports = Object.fromEntries(
    container.ports.map((port: { name: string; containerPort: number }) => [
      port.name,
      port.containerPort,
    ]),
  );
  expect(ports).toEqual({ http: 3000, metrics: Number(kubernetes.METRICS_PORT) });
  expect(readConfig({ NODE_ENV: "test" }).port).toBe(ports.http);
  expect(read("Dockerfile")).toContain(`EXPOSE ${ports.http}`);
  for (const probe of ["startupProbe", "readinessProbe"])
    expect(container[probe].httpGet).toEqual({ path: isReady.path, port: "http" });
  expect(container.livenessProbe.httpGet).toEqual({ path: isHealthy.path, port: "http" });
  const service = readYaml("kubernetes/base/service.yaml").spec.ports;
  for (const { name, targetPort } of service)
    expect([name, name in ports]).toEqual([targetPort, true]);
  expect(read("compose/Caddyfile")).toContain(`health_uri ${isReady.path}\n`);
  const upstreams = nodes.map(([name]) => `${name}:${ports.http}`);
  expect(compose.services.caddy.environment.NODES).toBe(`\${NODES:-${upstreams[0]}}`);
  expect(read("compose/.env.example")).toContain(`# NODES=${upstreams.join(" ")}\n`);
  expect(read("compose/Caddyfile")).toContain("header Retry-After 1\n");
  expect(read("compose/Caddyfile")).toContain(`health_uri ${isHealthy.path}\n`);
});

test("systemd units start after the network, and after PostgreSQL if they use it, restart after failures, and run Node.js only from node_modules", () => {
  const files = globSync("{systemd,one-machine}/*.service", { cwd: join(root, "deploy") });
  expect(files).toHaveLength(3);
  for (const file of files) {
    const text = read(file);
    expect(text).toMatch(/^StartLimitIntervalSec=0$/m);
    expect(text).toMatch(/^Restart=(always|on-failure)$/m);
    expect(text).toMatch(/^After=network-online\.target/m);
    if (text.includes("database_url")) expect(text).toMatch(/^After=.*postgresql\.service$/m);
    const [, program = ""] = /^ExecStart=(\S+)/m.exec(text) ?? [];
    if (program.endsWith("/node"))
      expect(program).toBe("/opt/secondlap/node_modules/node/bin/node");
  }
});

test("systemd units load each secret that they name, and only the optional secret has a default", () => {
  for (const text of [unit, severalMachines]) {
    const loaded = [...text.matchAll(/^LoadCredential=(\w+):\/etc\/secondlap\/secrets\/\1$/gm)];
    const names = loaded.map(([, name = ""]) => [`${name.toUpperCase()}_FILE`, `%d/${name}`]);
    const named = Object.entries(environmentOf(text)).filter(([name]) => name.endsWith("_FILE"));
    expect(Object.fromEntries(names)).toEqual(Object.fromEntries(named));
  }
  expect(unit.match(/^SetCredential=.*$/gm)).toEqual(["SetCredential=previous_secret:\\n"]);
  // TimeoutStartSec would have no effect, because an exec unit is up as soon as its program runs.
  expect(unit).toMatch(/^Type=exec$/m);
  expect(unit).not.toContain("TimeoutStartSec");
});

const backups: [string, { command: string[]; env: Env; folder: string }][] = [
  [
    "Compose",
    {
      command: compose.services.backup.command,
      env: { ...imageEnv, ...compose.services.backup.environment },
      folder: compose.services.backup.volumes[0].target,
    },
  ],
  [
    "systemd",
    {
      command: /^ExecStart=\S+\/node (.*)$/m.exec(backupUnit)?.[1]?.split(" ") ?? [],
      env: environmentOf(backupUnit),
      folder: "%S/secondlap-backups",
    },
  ],
];

test.for(backups)(
  "the %s backup job gets only the database secret, and keeps 14 backups",
  ([, backup]) => {
    const { command, env, folder: into } = backup;
    const program = ["server/cli/backup.ts", "backup", into, "--keep", "14"];
    expect(command.slice(0, program.length)).toEqual(program);
    expect(Object.keys(env).filter((name) => name.endsWith("_FILE"))).toEqual([
      "DATABASE_URL_FILE",
    ]);
    const url = join(folder, "database_of_backup");
    writeFileSync(url, "postgres://a:b@postgres/x");
    const asked = { ...env, NODE_ENV: "", HOST: "", DATABASE_URL_FILE: url };
    expect(readConfig(asked).databaseUrl).toBe("postgres://a:b@postgres/x");
  },
);

test("backups run daily, from a systemd timer or the Compose backup service", () => {
  expect(compose.services.backup.command.slice(-2)).toEqual(["--every", "24"]);
  const timer = read("systemd/secondlap-backup.timer");
  expect(timer).toMatch(/^OnCalendar=\*-\*-\* \d\d:\d\d$/m);
  expect(timer).toMatch(/^Persistent=true$/m);
  // Backups run as the nodes' user, who owns the photos.
  for (const line of [/^User=.*$/m, /^DynamicUser=.*$/m])
    expect(line.exec(backupUnit)?.[0]).toBe(line.exec(unit)?.[0]);
  expect(backupUnit).toMatch(/^StateDirectory=secondlap secondlap-backups$/m);
});

test("nodes have a writable temporary folder, and Compose and Kubernetes limit its size", () => {
  expect(imageEnv.TMPDIR).toMatch(/^\//);
  expect(imageEnv.TMPDIR).toBe(imageEnv.DATA_DIR);
  for (const [name, { read_only, tmpfs }] of nodes)
    expect([read_only, tmpfs], name).toEqual([
      true,
      [expect.stringMatching(new RegExp(`^${imageEnv.TMPDIR}:.*size=`))],
    ]);
  const mount = container.volumeMounts.find(
    ({ mountPath }: { mountPath: string }) => mountPath === imageEnv.TMPDIR,
  );
  expect(mount.readOnly).toBeUndefined();
  const volumes: { name: string }[] = deployment.spec.template.spec.volumes;
  expect(volumes.find(({ name }) => name === mount.name)).toMatchObject({
    emptyDir: { sizeLimit: expect.stringMatching(/Gi$/) },
  });
  expect(unit).toMatch(/^PrivateTmp=yes$/m);
});

test("each kustomization lists the files in its folder", () => {
  const files = globSync("kubernetes/*/kustomization.yaml", { cwd: join(root, "deploy") });
  expect(files).toHaveLength(2);
  for (const file of files) {
    const { resources, patches = [] } = readYaml(file);
    const own = [...resources, ...patches.map(({ path }: { path: string }) => path)];
    const there = globSync("*", { cwd: join(root, "deploy", dirname(file)) });
    expect(own.filter((name) => !name.startsWith("..")).toSorted()).toEqual(
      there.filter((name) => name !== "kustomization.yaml").toSorted(),
    );
  }
});

test("the disruption budget and the network policy select the shop's pods, which have no privileges", () => {
  const labels = { matchLabels: { "app.kubernetes.io/name": "secondlap" } };
  expect(readYaml("kubernetes/base/pod-disruption-budget.yaml").spec.selector).toEqual(labels);
  expect(readYaml("kubernetes/base/network-policy.yaml").spec.podSelector).toEqual(labels);
  expect(container.securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
  const [, user] = /^USER (\d+):/m.exec(read("Dockerfile")) ?? [];
  expect(deployment.spec.template.spec.securityContext).toMatchObject({
    runAsNonRoot: true,
    runAsUser: Number(user),
  });
});

type Service = { image: string; read_only: boolean; cap_drop: string[]; security_opt: string[] };

test("Compose starts one node by default, and a second one with the two-nodes profile", () => {
  expect(nodes.map(([name]) => [name, compose.services[name].profiles])).toEqual([
    ["node1", undefined],
    ["node2", ["two-nodes"]],
  ]);
});

test("each Compose service is hardened, with a health check and limits, and third-party images are pinned by digest", () => {
  for (const [name, service] of Object.entries<Service>(compose.services)) {
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      healthcheck: { test: expect.arrayContaining(["CMD"]) },
    });
    expect(service, name).toMatchObject({
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      logging: { driver: "local", options: { "max-size": "20m", "max-file": "5" } },
    });
    if (service.image !== nodes[0]?.[1].image)
      expect(service.image).toMatch(/:[\w.-]+@sha256:[0-9a-f]{64}$/);
  }
});

/** Returns a node's maximum connections to the pooler, or to PostgreSQL without a pooler. */
async function connectionsOfNode(): Promise<number> {
  const { pool } = openDatabase("postgres://127.0.0.1/none");
  await pool.end();
  return pool.options.max ?? 0;
}

/** A node's maximum connections that bypass the pooler: for migrations, reading changes, jobs. */
const besidePooler = 9;

test("docs/operations.md states how many connections the Kubernetes pods need", async () => {
  const text = readFileSync(join(root, "docs/operations.md"), "utf8");
  const numberIn = (pattern: RegExp) => Number(pattern.exec(text)?.[1]);
  const { maxReplicas } = readYaml("kubernetes/base/horizontal-pod-autoscaler.yaml").spec;
  const pods = maxReplicas + deployment.spec.strategy.rollingUpdate.maxSurge;
  const kept = 3;
  expect([maxReplicas, pods]).toEqual([6, 7]);
  expect(text).toContain("Six pods at most, and a seventh during a rollout");
  const without = numberIn(/`max_connections = (\d+)` of PostgreSQL without a pooler/);
  expect(without).toBeGreaterThanOrEqual(
    pods * ((await connectionsOfNode()) + besidePooler + 1) + kept,
  );
  const size = numberIn(/Behind a pooler with `default_pool_size = (\d+)`/);
  const [, connections] = /its default of (\d+) is enough/.exec(text) ?? [];
  expect(Number(connections)).toBe(100);
  expect(Number(connections)).toBeGreaterThanOrEqual(pods * besidePooler + size + kept);
});

test("PostgreSQL allows enough connections for the pooler and for clients that bypass it", async () => {
  const pooler = read("compose/pgbouncer.ini");
  const setting = (name: string) => Number(new RegExp(`^${name} = (\\d+)$`, "m").exec(pooler)?.[1]);
  const each = await connectionsOfNode();
  expect(setting("max_client_conn")).toBeGreaterThanOrEqual(nodes.length * each);
  expect(setting("default_pool_size")).toBeGreaterThanOrEqual(nodes.length * each);
  const [, connections] =
    /max_connections=(\d+)/.exec(compose.services.postgres.command.join(" ")) ?? [];
  // Besides the pooler's connections: nine per node, one for a replica, and three for superusers.
  const used = setting("default_pool_size") + nodes.length * besidePooler + 4;
  expect(Number(connections)).toBeGreaterThanOrEqual(used + nodes.length * each);
  expect(pooler).toContain(`statement_timeout = ${readConfig({}).databaseTimeoutMs}'`);
});

test("make-secrets.sh generates or requests every Compose secret", () => {
  const script = read("compose/make-secrets.sh");
  const made = [...script.matchAll(/^write (\w+)/gm)].map(([, name]) => name);
  const [, asked = ""] = /^for name in (.*); do$/m.exec(script) ?? [];
  expect([...made, ...asked.split(" ")].toSorted()).toEqual(
    Object.keys(compose.secrets).toSorted(),
  );
  for (const [name, { file }] of Object.entries<{ file: string }>(compose.secrets))
    expect(file).toBe(`secrets/${name}`);
});
