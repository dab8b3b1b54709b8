import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The slowest files. They run first, so that none runs alone at the end. */
const longest = [
  "server/db/query-plans.test.ts",
  "security/fuzz/edges.test.ts",
  "faults/crashes/crashes.test.ts",
  "security/hostile-images/hostile-images.test.ts",
  "server/main.test.ts",
  "faults/database/database.test.ts",
  "faults/interleavings/interleavings.test.ts",
  "faults/",
  "server/db/embedded-postgres/",
  "server/http/log-redaction.test.ts",
  "security/access-matrix/",
  "sandbox/",
  "server/features/money/",
];

/** Each of these variables selects the test files for one setup. */
const { FIREBASE_AUTH_EMULATOR_HOST, MEASURE, TEST_DEPLOY, TEST_REPLICAS, TEST_VARNISH } =
  process.env;
const files = FIREBASE_AUTH_EMULATOR_HOST
  ? "{server,faults}/**/*.emulator.ts"
  : TEST_VARNISH
    ? "server/**/*.varnish.ts"
    : TEST_DEPLOY
      ? "{server,scripts,lab}/**/*.deploy.ts"
      : TEST_REPLICAS
        ? "{faults/**/*.replicas.ts,security/access-matrix/access-matrix.test.ts}"
        : MEASURE
          ? "lab/bench/queries.measure.ts"
          : "{contract,server,sandbox,demo,web,scripts,e2e,security,faults,lab}/**/*.test.ts";

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((part) => moduleId.includes(`/${part}`));
      return place === -1 ? longest.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    globalSetup: "server/testing/global-setup.ts",
    include: [files],
    // Test files share their worker's modules, because every file opens its own app.
    isolate: false,
    // Tests spend much of their time waiting for PostgreSQL and other processes.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    // Long timeouts, so that tests pass on a busy machine. They delay only failures.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
});
