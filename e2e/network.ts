import { expect, type Locator, type Page, type Route } from "@playwright/test";

/** Keeps the answers to these calls back until the function answered here is called. */
export async function holdBack(page: Page, url: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Cuts the connection for these calls. Whatever waits for a retry waits on the page's own clock. */
export async function cutOff(page: Page, url: string): Promise<void> {
  await page.clock.install();
  await page.route(url, (route) => route.abort());
}

/** What the browser itself logs of a connection that is cut. */
export const cutConnection = /net::ERR_FAILED/;

/** Lets a call through and cuts the connection before its answer comes. */
export async function loseAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

/** Lets the waits between retries pass at once, until this shows. */
export async function afterRetries(page: Page, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(10_000);
    await expect(shown).toBeVisible({ timeout: 1_000 });
  }).toPass();
}

/** Counts the calls of this method made to this path from now on. */
export function countCalls(page: Page, method: string, path: RegExp): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.method() === method && path.test(new URL(request.url()).pathname)) count += 1;
  });
  return () => count;
}
