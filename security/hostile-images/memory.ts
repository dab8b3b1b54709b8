import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";

type Process = { pid: number; parent: number; megabytes: number; command: string };

/** The resident memory of a process and its children in megabytes, without the sandbox. */
export function memoryOf(pid: number): number {
  const all = existsSync("/proc/self/stat") ? fromProc() : fromPs();
  return all
    .filter((one) => one.pid === pid || (one.parent === pid && !one.command.includes("sandbox")))
    .reduce((sum, { megabytes }) => sum + megabytes, 0);
}

function fromProc(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, "utf8");
        const field = (label: string) =>
          Number(new RegExp(`^${label}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
        const megabytes = field("VmRSS") / 1_024;
        return [{ pid: Number(name), parent: field("PPid"), megabytes, command }];
      } catch {
        // The process has ended meanwhile.
        return [];
      }
    });
}

function fromPs(): Process[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,rss=,args="], { encoding: "utf8" });
  return lines.split("\n").flatMap((line) => {
    const [, pid, parent, kilobytes, command = ""] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    const megabytes = Number(kilobytes) / 1_024;
    return pid ? [{ pid: Number(pid), parent: Number(parent), megabytes, command }] : [];
  });
}
