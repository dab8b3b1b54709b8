import type { Health, HealthProblem } from "#contract/health.ts";
import { minFreeShare } from "./disk-space.ts";
import { withoutPrimary } from "./node-metrics.ts";

type Measures = Omit<Health, "problems">;

/** The limits match the alert rules, which also wait until a problem has lasted for minutes. */
export function problemsOf({ node, shop }: Measures): HealthProblem[] {
  const { connections, services } = node;
  const replicas = withoutPrimary(node.replicas);
  const isFailing = ({ answered, refused, failed }: (typeof services)[number]) =>
    failed / (answered + refused + failed) > 0.2;
  const isLate = ({ task, dueSeconds }: Measures["shop"]["jobs"][number]) =>
    dueSeconds > (task === "sendMail" ? 900 : 300);
  const wrong: Record<HealthProblem, boolean> = {
    errors: node.errors / Math.max(1, node.requests) > 0.02,
    diskFull: isDiskFull(node.disk),
    eventLoop: node.eventLoopDelay > 0.2,
    connections: connections.waiting > 0,
    replicas: replicas.some(({ isUsed }) => !isUsed),
    cache: !node.cacheCurrent,
    services: services.some(isFailing),
    jobsLate: shop.jobs.some(isLate),
    jobsGivenUp: shop.jobs.some(({ givenUp }) => givenUp > 0),
    overdueHolds: shop.overdueHolds > 0,
    refundsSentBack: shop.refundsSentBack > 0,
    ledgerDifferences: shop.ledgerDifferences > 0,
    ledgerNotCompared: (shop.ledgerUncomparedHours ?? 0) > 30,
    backupLate: shop.withoutBackupHours > 30,
  };
  const names = Object.keys(wrong) as HealthProblem[];
  return names.filter((problem) => wrong[problem]);
}

function isDiskFull({ freeBytes, bytes, refused }: Measures["node"]["disk"]): boolean {
  if (refused > 0) return true;
  return freeBytes !== null && bytes !== null && freeBytes < bytes * minFreeShare;
}
