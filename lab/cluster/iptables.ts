import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const iptables = "/usr/sbin/iptables";

export function canCut(): boolean {
  return process.getuid?.() === 0 && existsSync(iptables);
}

/** Connections stay open but silent. Rules match groups, because hosts share one interface. */
export function cutOff({ host, gid }: { host: string; gid: number }): () => void {
  const owner = ["-m", "owner"];
  const group = ["--gid-owner", String(gid), "-j", "DROP"];
  const rules = [
    ["-d", host, ...owner, "!", ...group],
    ["!", "-d", host, ...owner, ...group],
  ];
  const run = (what: "-I" | "-D") => {
    for (const rule of rules) execFileSync(iptables, ["--wait", what, "OUTPUT", ...rule]);
  };
  run("-I");
  let isCut = true;
  return () => {
    if (isCut) run("-D");
    isCut = false;
  };
}
