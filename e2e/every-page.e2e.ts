/// <reference lib="dom" />
import { randomUUID } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { listCategories } from "#contract/categories.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { askSeller } from "#contract/messages.ts";
import { sellerPath } from "#contract/page-paths.ts";
import { paths } from "#web/paths.ts";
import {
  bookLaptop,
  buyLaptop,
  type Laptop,
  listLaptop,
  type Member,
  receiveLaptop,
  uploadPhotos,
} from "./accounts.ts";
import { allReachable, expectAccessible, tabThrough } from "./axe-and-keyboard.ts";
import { signIn, test, waitForHydration } from "./fixtures.ts";
import { endEventStreams, freezeHome } from "./network.ts";

/** Pages open at 390 px. 320 px is a 1280 px window at 400% zoom (WCAG 1.4.10). */
const otherWidths = [320, 768, 1440];

test.describe("§10.25: pages are stable, accessible in both themes, usable by keyboard, and fit the window", () => {
  // The not-found page itself has the status 404.
  test.use({ expectedErrors: [/status of 404/] });

  test("a visitor's pages pass the layout, axe and keyboard checks", async ({
    page,
    seller,
    newSeller,
    buyer,
  }) => {
    const [category] = await buyer.call(listCategories, {});
    const held = await listLaptop(seller);
    await bookLaptop(buyer, held);
    await receiveLaptop(buyer, await listLaptop(seller));
    const laptop = await listWithPhotos(seller);
    const { _id: id } = laptop;
    const { seller: shown } = await buyer.call(readProduct, { params: { id } });
    const first = { params: { id: (await listLaptop(newSeller))._id } };
    const { seller: withoutSales } = await buyer.call(readProduct, first);
    await checkPages(page, { delayFonts: true }, [
      "/",
      "/blogs",
      "/search",
      "/search?q=thinkpad&ram=16",
      `/compare?ids=${id},${held._id}`,
      "/terms",
      paths.laptop(id, laptop.product_name),
      sellerPath(shown._id),
      sellerPath(withoutSales._id),
      `/login?from=/categoryProducts/${category?._id}`,
      "/signup",
      "/forgot-password",
      "/reset-password?token=any",
      "/confirm-email?token=any",
      "/unsubscribe?token=any",
      "/account-deleted",
      "/no/such/page",
    ]);
  });

  test("a buyer's pages pass the layout, axe and keyboard checks", async ({
    buyerPage,
    seller,
    buyer,
  }) => {
    const [category] = await buyer.call(listCategories, {});
    const { booking, conversation } = await holdAndAsk(buyer, await listLaptop(seller));
    const { booking: paid } = await buyLaptop(buyer, await listLaptop(seller));
    await receiveLaptop(buyer, await listLaptop(seller));
    const { _id: forSale } = await listLaptop(seller);
    await checkPages(buyerPage, {}, [
      "/",
      `/categoryProducts/${category?._id}`,
      "/dashboard",
      `/dashboard/payment/${booking}`,
      paths.handover(paid),
      "/dashboard/saved",
      `${paths.messages()}?conversation=${conversation}`,
      `${paths.messages()}?about=${forSale}`,
      paths.reviews(),
      `${paths.offers()}?about=${forSale}`,
      "/dashboard/invitations",
      "/dashboard/profile",
      "/dashboard/allSellers",
    ]);
  });

  test("a seller's pages pass the layout, axe and keyboard checks", async ({
    page,
    seller,
    newSeller,
    buyer,
  }) => {
    const anothers = await listLaptop(newSeller);
    const { _id } = await listWithPhotos(seller);
    await holdAndAsk(buyer, await listLaptop(seller));
    const { booking: paid } = await buyLaptop(buyer, await listLaptop(seller));
    await receiveLaptop(buyer, await listLaptop(seller));
    await signIn(page, seller);
    await checkPages(page, {}, [
      paths.laptop(anothers._id, anothers.product_name),
      paths.editProduct(_id),
      "/dashboard/addProduct",
      "/dashboard/myProducts",
      paths.handover(paid),
      "/dashboard/payouts",
      "/dashboard/overview",
    ]);
  });

  test.describe(() => {
    test.use({ role: "admin" });

    test("an admin's pages pass the layout, axe and keyboard checks", async ({
      page,
      seller,
      buyer,
    }) => {
      const { booking: completed } = await receiveLaptop(buyer, await listLaptop(seller));
      await checkPages(page, {}, [
        "/dashboard/allSellers",
        "/dashboard/allBuyers",
        "/dashboard/reportedItems",
        "/dashboard/messages",
        paths.reviews(),
        "/dashboard/listingsToCheck",
        "/dashboard/invitations",
        "/dashboard/needsYou",
        "/dashboard/payments",
        "/dashboard/overview",
        "/dashboard/ledger",
        "/dashboard/health",
        "/dashboard/complaints",
        "/dashboard/shop/first-steps",
        `/dashboard/deal/${completed}`,
        "/dashboard/auditLog",
        "/dashboard/staff",
        "/dashboard/staff?token=any",
        "/dashboard/shop/categories",
      ]);
    });
  });
});

async function listWithPhotos(seller: Member): Promise<Laptop> {
  const images = await uploadPhotos(seller, 3);
  return await listLaptop(seller, { img: String(images[0]), images });
}

async function holdAndAsk(buyer: Member, laptop: Laptop) {
  const booking = await bookLaptop(buyer, laptop);
  const question = { text: "Is it still available?", key: randomUUID(), product: laptop };
  const { insertedId: conversation } = await buyer.call(askSeller, { body: question });
  return { booking, conversation };
}

async function checkPages(
  page: Page,
  { delayFonts = false }: { delayFonts?: boolean },
  addresses: string[],
): Promise<void> {
  await page.addInitScript(watchShifts);
  await endEventStreams(page);
  await freezeHome(page);
  for (const address of addresses) {
    await page.setViewportSize({ width: 390, height: 844 });
    const releaseFonts = delayFonts ? await holdFonts(page) : () => {};
    await page.goto(address, { waitUntil: "commit" });
    await expect(page.getByRole("main").getByRole("heading").first()).toBeVisible();
    await waitForHydration(page);
    releaseFonts();
    await page.waitForLoadState("networkidle");
    await page.evaluate(fontsAreShown);
    const shifts = await page.evaluate("shifts");
    expect.soft(shifts, `layout shifts on ${address}`).toEqual([]);
    await expect.soft.poll(() => moving(page), `animations on ${address}`).toEqual([]);
    await test.step(`axe on ${address}`, () => expectAccessible(page));
    const byKeyboard = await tabThrough(page);
    expect.soft(byKeyboard, `keyboard access on ${address}`).toEqual(allReachable);
    const beyond = await overflows(page);
    expect.soft(beyond, `overflow on ${address}`).toEqual([0, 0, 0, 0]);
    await page.unroute("**/*.woff2");
  }
}

/** Blocks the fonts until the returned function is called. */
async function holdFonts(page: Page): Promise<() => void> {
  const { promise: painted, resolve } = Promise.withResolvers<void>();
  await page.route("**/*.woff2", async (route) => {
    await painted;
    await route.continue();
  });
  return resolve;
}

function fontsAreShown(): Promise<void> {
  return document.fonts.ready.then(
    () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** Records layout shifts without recent input, once their sum exceeds 0.01. */
function watchShifts(): void {
  type Shift = PerformanceEntry & {
    value: number;
    hadRecentInput: boolean;
    sources: { node: Element | null }[];
  };
  const shifts: string[] = [];
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries() as Shift[]) {
      if (shift.hadRecentInput) continue;
      sum += shift.value;
      const moved = shift.sources.map(({ node }) => node?.outerHTML?.slice(0, 90));
      if (sum > 0.01) shifts.push(`${sum.toFixed(3)}: ${moved.join(", ")}`);
    }
  }).observe({ type: "layout-shift", buffered: true });
  Object.assign(window, { shifts });
}

function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === "running")
      .map(({ effect }) => {
        const target = effect instanceof KeyframeEffect ? effect.target : null;
        return target?.outerHTML.slice(0, 90) ?? "";
      }),
  );
}

/** Overflow in px at each width, before and after `matchMedia` listeners run. */
async function overflows(page: Page): Promise<number[]> {
  const found = [await page.evaluate(overflow)];
  for (const width of otherWidths) {
    await page.evaluate(measureOnResize);
    await page.setViewportSize({ width, height: 900 });
    found.push(Math.max(await page.evaluate<number>("onResize"), await page.evaluate(overflow)));
  }
  return found;
}

function overflow(): number {
  return document.documentElement.scrollWidth - innerWidth;
}

function measureOnResize(): void {
  const measure = () => document.documentElement.scrollWidth - innerWidth;
  const onResize = new Promise((resolve) =>
    addEventListener("resize", () => resolve(measure()), { once: true }),
  );
  Object.assign(window, { onResize });
}
