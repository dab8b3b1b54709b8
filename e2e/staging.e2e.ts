/// <reference lib="dom" />
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import {
  freePorts,
  type Program,
  run,
  waitForExit,
  waitForReady,
} from "#server/testing/program.ts";
import { test } from "./fixtures.ts";

let shop: Program;
let dataDir: string;
let url: string;

test.beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "secondlap-staging-"));
  const ports = await freePorts();
  url = `http://127.0.0.1:${ports.PORT}`;
  shop = run({ ...ports, DATA_DIR: dataDir, STAGING: "1" });
  await waitForReady(shop);
});
test.afterAll(async () => {
  shop.child.kill("SIGTERM");
  await waitForExit(shop);
  await rm(dataDir, { recursive: true, force: true });
});

const banner = (page: Page) => page.getByText("This is a test site.");

test.describe("a staging server", () => {
  test.use({ expectedErrors: [/status of 404/] });

  test("§10.24: shows a banner on every page", async ({ page }) => {
    for (const path of ["/dashboard", "/no/such/page", "/"]) {
      await page.goto(`${url}${path}`);
      await expect(banner(page)).toBeVisible();
    }
    await page.getByRole("link", { name: "Blogs" }).first().click();
    await expect(page.getByRole("heading", { name: "Blogs" })).toBeVisible();
    await expect(banner(page)).toBeVisible();
  });
});

test("§10.24: other servers show no banner", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(banner(page)).toHaveCount(0);
});
