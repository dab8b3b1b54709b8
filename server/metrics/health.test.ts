import { expect } from "vitest";
import { type Health, type HealthProblem, healthProblems, readHealth } from "#contract/health.ts";
import { enqueue } from "../jobs/job-queue.ts";
import { deal } from "../testing/deal.ts";
import { dealTest } from "../testing/fixtures.ts";
import type { Person } from "../testing/people.ts";
import { problemsOf } from "./metrics.ts";

const test = dealTest();

const read = async (admin: Person): Promise<Health> => await admin.call(readHealth, {});

test("an admin sees this server's recent activity and errors, without health checks, and the shop's pending work", async ({
  shop,
  admin,
}) => {
  await deal(shop, "held");
  await enqueue(shop.deps.db, "offerPasswordReset", { payload: { email: "a@example.com" } });
  for (let probes = 0; probes < 60; probes += 1) await fetch(`${shop.url}/readyz`);
  for (let calls = 0; calls < 3; calls += 1) await fetch(`${shop.url}/api/no/such/call`);
  const { node, shop: waiting } = await read(admin);
  expect(node).toMatchObject({
    errors: 0,
    cacheCurrent: true,
    connections: { most: 10, waiting: 0 },
    replicas: [],
  });
  expect(node.requests).toBeGreaterThan(3);
  expect(node.requests).toBeLessThan(60);
  expect(node.services).toContainEqual({
    service: "cards",
    refused: 0,
    failed: 0,
    answered: expect.any(Number),
  });
  expect(waiting).toMatchObject({
    holds: 1,
    overdueHolds: 0,
    ledgerComparedHoursAgo: null,
    ledgerUncomparedHours: null,
  });
  expect(waiting.jobs).toContainEqual(
    expect.objectContaining({ task: "offerPasswordReset", due: 1, givenUp: 0 }),
  );
  const failNext = { method: "POST", path: "/v1/payment_intents", status: 500, times: 99 };
  await shop.cards.injectFaults({ failNext });
  await expect(deal(shop, "held")).rejects.toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
  await expect.poll(async () => (await read(admin)).node.errors).toBe(1);
});

const job = {
  task: "expireHold",
  due: 1,
  dueSeconds: 9,
  retried: 3,
  retriedSeconds: 9,
  givenUp: 0,
};

const fine: Parameters<typeof problemsOf>[0] = {
  node: {
    since: new Date(0).toISOString(),
    requests: 1_000,
    errors: 20,
    slow: 9,
    cacheHits: 1,
    cacheMisses: 9,
    cacheCurrent: true,
    eventLoopDelay: 0.2,
    connections: { busy: 10, most: 10, waiting: 0 },
    disk: { freeBytes: 10, bytes: 100, refused: 0 },
    replicas: [
      { name: "10.0.0.11:5432", isUsed: false, isPrimary: true, lateSeconds: null },
      { name: "10.0.0.12:5432", isUsed: true, isPrimary: false, lateSeconds: 0.9 },
    ],
    services: [{ service: "cards", answered: 7, refused: 1, failed: 2 }],
  },
  shop: {
    jobs: [
      { ...job, task: "sendMail", dueSeconds: 900, retriedSeconds: 3_600 },
      { ...job, dueSeconds: 300, retriedSeconds: 9_999 },
    ],
    holds: 3,
    overdueHolds: 0,
    refundsSentBack: 0,
    ledgerDifferences: 0,
    ledgerComparedHoursAgo: null,
    ledgerUncomparedHours: 30,
    backedUpHoursAgo: null,
    withoutBackupHours: 30,
  },
};

const replica = { name: "10.0.0.11:5432", isUsed: false, isPrimary: false, lateSeconds: null };

type Changes = { node?: Partial<Health["node"]>; shop?: Partial<typeof fine.shop> };

const beyondLimits: [HealthProblem, Changes][] = [
  ["errors", { node: { errors: 21 } }],
  ["diskFull", { node: { disk: { freeBytes: 9, bytes: 100, refused: 0 } } }],
  ["diskFull", { node: { disk: { freeBytes: null, bytes: null, refused: 1 } } }],
  ["eventLoop", { node: { eventLoopDelay: 0.21 } }],
  ["connections", { node: { connections: { busy: 10, most: 10, waiting: 1 } } }],
  ["replicas", { node: { replicas: [{ ...replica, lateSeconds: 1.1 }] } }],
  ["replicas", { node: { replicas: [{ ...replica, isPrimary: true }] } }],
  ["cache", { node: { cacheCurrent: false } }],
  ["services", { node: { services: [{ service: "mail", answered: 7, refused: 0, failed: 2 }] } }],
  ["jobsLate", { shop: { jobs: [{ ...job, task: "sendMail", dueSeconds: 901 }] } }],
  ["jobsLate", { shop: { jobs: [{ ...job, dueSeconds: 301 }] } }],
  ["jobsLate", { shop: { jobs: [{ ...job, task: "sendMail", retriedSeconds: 3_601 }] } }],
  ["jobsGivenUp", { shop: { jobs: [{ ...job, givenUp: 1 }] } }],
  ["overdueHolds", { shop: { overdueHolds: 1 } }],
  ["refundsSentBack", { shop: { refundsSentBack: 1 } }],
  ["ledgerDifferences", { shop: { ledgerDifferences: 1 } }],
  ["ledgerNotCompared", { shop: { ledgerUncomparedHours: 31 } }],
  ["backupLate", { shop: { withoutBackupHours: 31 } }],
];

test("values within their limits cause no problem, and each problem has a test case", () => {
  expect(problemsOf(fine)).toEqual([]);
  expect(new Set(beyondLimits.map(([problem]) => problem))).toEqual(new Set(healthProblems));
});

test.for(beyondLimits)("a value beyond its limit is reported: %s", ([problem, { node, shop }]) => {
  const worse = { node: { ...fine.node, ...node }, shop: { ...fine.shop, ...shop } };
  expect(problemsOf(worse)).toEqual([problem]);
});
