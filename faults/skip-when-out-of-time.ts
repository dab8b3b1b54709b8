import { beforeEach } from "vitest";
import { timeBudget } from "./run-options.ts";

// Vitest loads this setup file at the start of each suite that `long-run.ts` runs.
const hasTime = timeBudget();

beforeEach(({ skip }) => skip(!hasTime(), "The suite has had its --minutes."));
