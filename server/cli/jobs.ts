import { AppError } from "../errors.ts";
import { retryJobs } from "../features/health/retry-jobs.ts";
import { runCommand, withDatabase } from "./run-command.ts";

/** `npm run jobs -- retry`: retries given-up jobs, as the button on the Health page does. */
async function main([name]: string[]): Promise<string> {
  if (name !== "retry") throw new AppError("BAD_REQUEST", "Usage: npm run jobs -- retry");
  const count = await withDatabase(retryJobs);
  if (count === 0) return "No job has been given up.";
  return `${count === 1 ? "1 job" : `${count} jobs`} will be tried again.`;
}

await runCommand(main);
