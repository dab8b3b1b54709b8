/// <reference lib="dom" />
import { mkdir } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import sharp, { type OverlayOptions } from "sharp";
import { signIn, test } from "../fixtures.ts";
import { endEventStreams } from "../network.ts";
import { picturesOf, screens, sizes } from "./list.ts";

/** A screenshot's maximum height, in window heights. */
const windows = 1.6;

test.describe("a screenshot of every page", () => {
  // The not-found page itself has the status 404.
  test.use({ expectedErrors: [/status of 404/], reducedMotion: "reduce" });

  test.beforeAll(() => mkdir("docs/screens", { recursive: true }));

  for (const [name, { title, role, path, press }] of Object.entries(screens)) {
    test(title, async ({ page, demoMembers }) => {
      await endEventStreams(page);
      if (role !== "visitor") {
        await signIn(page, demoMembers[role]);
        // This page tells the browser who is signed in, so that public pages show the member's links.
        await page.goto("/dashboard/profile");
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      }
      await page.goto(typeof path === "string" ? path : await path(demoMembers));
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      if (press) await page.getByRole("button", { name: press }).first().click();
      const pictures: Buffer[] = [];
      for (const { width, theme } of picturesOf(name)) {
        await page.emulateMedia({ colorScheme: theme });
        await settle(page, { width, height: sizes[width] });
        pictures.push(await page.screenshot({ animations: "disabled", caret: "hide" }));
      }
      await writeSheet(pictures, `docs/screens/${name}.webp`);
    });
  }
});

async function writeSheet(pictures: Buffer[], path: string): Promise<void> {
  const gap = 24;
  let width = -gap;
  let height = 0;
  const placed: OverlayOptions[] = [];
  for (const input of pictures) {
    const picture = await sharp(input).metadata();
    placed.push({ input, left: width + gap, top: 0 });
    width += gap + picture.width;
    height = Math.max(height, picture.height);
  }
  const create = { width, height, channels: 4, background: "#0000" } as const;
  await sharp({ create }).composite(placed).webp({ quality: 28, effort: 6 }).toFile(path);
}

async function settle(page: Page, { width, height }: { width: number; height: number }) {
  await page.setViewportSize({ width, height });
  const dialog = (await page.getByRole("dialog").count()) > 0;
  const whole = await page.evaluate(() => document.documentElement.scrollHeight);
  const shown = dialog ? height : Math.min(Math.max(whole, height), height * windows);
  await page.setViewportSize({ width, height: Math.round(shown) });
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => {
    // The menu scrolls to its current entry when a page loads, but not when the window shrinks.
    const current = document.querySelector(".strip [aria-current=page]");
    current?.scrollIntoView({ block: "nearest", inline: "center" });
    return Promise.all(
      [...document.images]
        .filter((image) => image.getBoundingClientRect().top < innerHeight)
        .map((image) => image.decode()),
    );
  });
}
