import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { vi } from "vitest";
import { freePort } from "./free-port.ts";

export type TestPrometheus = Awaited<ReturnType<typeof startPrometheus>>;

const host = "127.0.0.1";

export async function startPrometheus(rules: string) {
  const folder = await mkdtemp(join(tmpdir(), "secondlap-prometheus-"));
  const address = `${host}:${await freePort()}`;
  const scrape = (ports: number[]) =>
    writeFile(
      join(folder, "nodes.json"),
      JSON.stringify([{ targets: ports.map((port) => `${host}:${port}`) }]),
    );
  await scrape([]);
  await writeFile(join(folder, "alerts.yml"), rules);
  const settings = {
    // `scrape_timeout` is longer than a node waits for PostgreSQL during a scrape.
    global: { scrape_interval: "2s", scrape_timeout: "2s", evaluation_interval: "1s" },
    rule_files: ["alerts.yml"],
    scrape_configs: [
      {
        job_name: "secondlap",
        file_sd_configs: [{ files: ["nodes.json"], refresh_interval: "1s" }],
      },
    ],
  };
  await writeFile(join(folder, "prometheus.yml"), JSON.stringify(settings));
  const options = [`--web.listen-address=${address}`, "--storage.tsdb.path=data"];
  const program = spawn("prometheus", ["--config.file=prometheus.yml", ...options], {
    cwd: folder,
    stdio: "ignore",
  });
  await vi.waitFor(() => fetch(`http://${address}/-/ready`), 30_000);
  return {
    scrape,
    async firing(): Promise<string[]> {
      const answer = await fetch(`http://${address}/api/v1/alerts`);
      const { data } = (await answer.json()) as Alerts;
      const names = data.alerts
        .filter(({ state }) => state === "firing")
        .map(({ labels }) => labels.alertname);
      return [...new Set(names)].toSorted();
    },
    async stop(): Promise<void> {
      const ended = once(program, "exit");
      program.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Alerts = { data: { alerts: { state: string; labels: { alertname: string } }[] } };
