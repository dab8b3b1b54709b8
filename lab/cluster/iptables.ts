import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const iptables = "/usr/sbin/iptables";

/** Whether hosts can be cut off the network here. */
export function canCut(): boolean {
  return process.getuid?.() === 0 && existsSync(iptables);
}

/**
 * Drops every packet between a host and the others, so that connections stay open but silent. All
 * hosts share the loopback interface, so a host's packets are recognized by the group of its
 * processes. Returns a function that restores the network.
 */
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
