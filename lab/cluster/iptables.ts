import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

const iptables = "/usr/sbin/iptables";

/** Whether this process can cut hosts off the network. */
export function canCut(): boolean {
  return process.getuid?.() === 0 && existsSync(iptables);
}

/**
 * Drops every packet between a host and the other hosts. Connections stay open but silent. All
 * hosts share the loopback interface, so the sending process's group identifies a host's packets.
 * Returns a function that restores the network.
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
