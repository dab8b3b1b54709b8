import type { BrowserContext, Request } from "@playwright/test";

const endsSession = /\/api\/auth\/(sign-out|reset-password)/;

/** The addresses of calls that were under way while a session ended: they are refused, and the browser logs that. */
export function watchEndedSessions(context: BrowserContext): Set<string> {
  const underWay = new Set<Request>();
  const refused = new Set<string>();
  let ending = 0;
  context.on("request", (request) => {
    underWay.add(request);
    if (endsSession.test(request.url())) ending += 1;
    if (ending > 0) for (const one of underWay) refused.add(one.url());
  });
  const end = (request: Request) => {
    underWay.delete(request);
    if (!endsSession.test(request.url())) return;
    for (const one of underWay) refused.add(one.url());
    ending -= 1;
  };
  context.on("requestfinished", end).on("requestfailed", end);
  return refused;
}
