import type { Service } from "../adapters/provider-checks.ts";
import { readConfig } from "../config.ts";
import { failureSentence } from "../http/logging.ts";
import { version } from "../version.ts";
import { machineOf } from "./machine.ts";
import { runCommand } from "./run-command.ts";
import { servicesOf } from "./services.ts";

async function rowOf({ name, uses, settings, check }: Service) {
  const row = (state: string, failed = false) => ({ cells: [name, uses, state], failed });
  if (!check) return row("not checked: npm start starts it");
  try {
    const remark = await check();
    return row(typeof remark === "string" ? `ok: ${remark}` : "ok");
  } catch (error) {
    return row(failureSentence(error, settings), true);
  }
}

/** `npm run doctor`: exits with 1 if a check fails. `readConfig` reports invalid settings. */
async function main(): Promise<string> {
  process.stdout.write(`Secondlap ${version}\n`);
  const config = readConfig();
  const rows = await Promise.all([...machineOf(config), ...servicesOf(config)].map(rowOf));
  if (rows.some(({ failed }) => failed)) process.exitCode = 1;
  const lines = [["Service", "Uses", "State"], ...rows.map(({ cells }) => cells)];
  const width = (column: number) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0));
  return lines
    .map(([name = "", uses = "", state = ""]) =>
      [name.padEnd(width(0)), uses.padEnd(width(1)), state].join("  "),
    )
    .join("\n");
}

await runCommand(main);
