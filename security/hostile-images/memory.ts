import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

type Process = { pid: number; parent: number; megabytes: number; command: string };

/** Resident memory in megabytes, with the child processes but without the sandbox. */
export function memoryOf(pid: number): number {
  const all = existsSync("/proc/self/task") ? fromProc(pid) : fromPs();
  return all
    .filter((one) => one.pid === pid || (one.parent === pid && !one.command.includes("sandbox")))
    .reduce((sum, { megabytes }) => sum + megabytes, 0);
}

function fromProc(parent: number): Process[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, "utf8").trim();
  return [parent, ...children.split(" ").filter(Boolean).map(Number)].flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8");
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const megabytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1_024;
      return [{ pid, parent, megabytes, command }];
    } catch {
      // The process ended before its files were read.
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
