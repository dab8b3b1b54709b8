import type { BrowserContext, Page, Request } from "@playwright/test";

const endsSession = /\/api\/auth\/(sign-out|reset-password)/;

/**
 * The addresses of calls that were under way while a session ended, or that its page made before it went on to another:
 * they are refused, and the browser logs that.
 */
export function watchEndedSessions(context: BrowserContext): Set<string> {
  const underWay = new Set<Request>();
  const refused = new Set<string>();
  const ending = new Set<Request>();
  context.on("request", (request) => {
    underWay.add(request);
    if (endsSession.test(request.url())) ending.add(request);
    if (ending.size > 0) for (const one of underWay) refused.add(one.url());
  });
  const end = (request: Request) => underWay.delete(request);
  context.on("requestfinished", end).on("requestfailed", end);
  const watch = (page: Page) =>
    page.on("framenavigated", () => {
      for (const one of ending) if (!underWay.has(one)) ending.delete(one);
    });
  for (const page of context.pages()) watch(page);
  context.on("page", watch);
  return refused;
}
