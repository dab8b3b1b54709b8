import { expect, type Locator, type Page, type Route } from "@playwright/test";

export async function delayResponses(page: Page, url: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Aborts requests, and fakes the clock, so that tests can skip waits for retries. */
export async function failRequests(page: Page, url: string): Promise<void> {
  await page.clock.install();
  await page.route(url, (route) => route.abort());
}

export const failedRequestLog = /net::ERR_FAILED/;

export async function dropResponse(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

export async function advanceUntilVisible(page: Page, shown: Locator): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(10_000);
    await expect(shown).toBeVisible({ timeout: 300 });
  }).toPass({ intervals: [0] });
}

export function countRequests(page: Page, method: string, path: RegExp): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.method() === method && path.test(new URL(request.url()).pathname)) count += 1;
  });
  return () => count;
}

/** Ends event streams at once, so that the page polls and its network becomes idle. */
export async function endEventStreams(page: Pick<Page, "route">): Promise<void> {
  await page.route("**/api/messageEvents*", async (route) => {
    const isStream = route.request().headers().accept === "text/event-stream";
    if (isStream) await route.fulfill({ contentType: "text/event-stream", body: "" });
    else await route.continue();
  });
}

/** Freezes Home, because laptops that other tests advertise meanwhile would shift the layout. */
export async function freezeHome(page: Page): Promise<void> {
  const list = async () => await page.request.get("/api/advertisedProducts?limit=12");
  let [before, home, after] = [await list(), await page.request.get("/"), await list()];
  while ((await before.text()) !== (await after.text()))
    [before, home, after] = [after, await page.request.get("/"), await list()];
  await page.route("**/api/advertisedProducts*", (route) => route.fulfill({ response: after }));
  const isHome = ({ pathname }: URL) => pathname === "/";
  await page.route(isHome, (route) => route.fulfill({ response: home }));
}

type Manifest = { routes: Record<string, { module: string }> };

/** Returns the path of a route's script. `route` is an ID such as "pages/blogs". */
export async function scriptOf(page: Page, route: string): Promise<string> {
  const manifest: Manifest = await page.evaluate("window.__reactRouterManifest");
  const { module } = manifest.routes[route] ?? {};
  if (module === undefined) throw new Error(`There is no route ${route}.`);
  return module;
}
