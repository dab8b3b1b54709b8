import { beforeEach } from "vitest";
import { timeBudget } from "./run-options.ts";

// Vitest loads this setup file at the start of each `npm run faults` suite.
const hasTime = timeBudget();

beforeEach(({ skip }) => skip(!hasTime(), "The suite has had its --minutes."));
