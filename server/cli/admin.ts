import { email as emailSchema } from "#contract/text.ts";
import { secondFactorStore } from "../adapters/identity/second-factor-store.ts";
import { systemClock } from "../clock.ts";
import { AppError } from "../errors.ts";
import { type ResetDeps, resetSecondFactor } from "../features/members/reset-second-factor.ts";
import { changeAdmin } from "../features/staff/change-staff-role.ts";
import { runCommand, withDatabase } from "./run-command.ts";

/** A command returns a sentence to print, or throws an error that says why it failed. */
const commands: Record<string, (deps: ResetDeps, email: string) => Promise<string>> = {
  grant: (deps, email) => changeAdmin(deps, { email, isAdmin: true }),
  revoke: (deps, email) => changeAdmin(deps, { email, isAdmin: false }),
  "reset-second-factor": resetSecondFactor,
};

const usage = `Usage: npm run admin -- COMMAND you@example.com   (COMMAND: ${Object.keys(commands).join(", ")})`;

/** `npm run admin`: makes or unmakes owners, and resets second factors (docs/commands.md). */
async function main([name = "", address]: string[]): Promise<string> {
  const email = emailSchema.safeParse(address);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || !email.success) throw new AppError("BAD_REQUEST", usage);
  return await withDatabase((db) =>
    command({ db, clock: systemClock, identity: { secondFactors: secondFactorStore } }, email.data),
  );
}

await runCommand(main);
