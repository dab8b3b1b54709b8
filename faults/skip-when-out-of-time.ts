import { beforeEach } from "vitest";
import { timeBudget } from "./run-options.ts";

// A setup file of `npm run faults`, loaded at the start of each suite.
const hasTime = timeBudget();

beforeEach(({ skip }) => skip(!hasTime(), "The suite has had its --minutes."));
