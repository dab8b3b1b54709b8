import { readFileSync } from "node:fs";

/** The settings that are secrets: each may be given as a file, by its name with _FILE after it. */
const secrets = [
  "SECRET",
  "PREVIOUS_SECRET",
  "DATABASE_URL",
  "SMTP_URL",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "GOOGLE_CLIENT_SECRET",
];

type Env = Record<string, string | undefined>;

/** Puts what the files hold in the place of the settings that name them; `faults` says what can't be. */
export function readSecretFiles(env: Env): { values: Env; faults: string[] } {
  const values = { ...env };
  const faults: string[] = [];
  for (const name of secrets) {
    const path = env[`${name}_FILE`];
    if (path === undefined) continue;
    const { value, fault } = readSecret(path);
    if (env[name] !== undefined) faults.push(`${name}_FILE: ${name} is set too. Set one of them.`);
    else if (fault !== undefined) faults.push(`${name}_FILE: ${path} ${fault}.`);
    else values[name] = value;
  }
  return { values, faults };
}

function readSecret(path: string): { value?: string; fault?: string } {
  try {
    const value = readFileSync(path, "utf8").trim();
    return value === "" ? { fault: "is empty" } : { value };
  } catch (error) {
    return { fault: `can't be read (${(error as NodeJS.ErrnoException).code})` };
  }
}
