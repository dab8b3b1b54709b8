import type { BrowserContext, Request } from "@playwright/test";

const endsSession = /\/api\/auth\/(sign-out|reset-password)/;
const beginsSession = /\/api\/auth\/sign-(in|up)/;

/**
 * URLs of calls that the server may refuse because a session ended. They were in flight when it
 * ended, or a page still made them before the next session began. The browser logs each refusal.
 */
export function watchEndedSessions(context: BrowserContext): Set<string> {
  const underWay = new Set<Request>();
  const refused = new Set<string>();
  let isEnded = false;
  context.on("request", (request) => {
    underWay.add(request);
    if (endsSession.test(request.url())) isEnded = true;
    if (beginsSession.test(request.url())) isEnded = false;
    if (isEnded) for (const one of underWay) refused.add(one.url());
  });
  const end = (request: Request) => underWay.delete(request);
  context.on("requestfinished", end).on("requestfailed", end);
  return refused;
}
