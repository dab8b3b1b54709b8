import fc from "fast-check";
import { matchRoutes, type RouteObject } from "react-router";
import { describe, expect, test } from "vitest";
import { safeDestination } from "#contract/page-paths.ts";
import { dashboardPath, paths } from "./paths.ts";
import routes from "./routes.ts";

const id = "0193-a";

test("every path has its own route, except that login and its second step share one", () => {
  const built = Object.values(paths).map((path) => new URL(path(id), "http://here").pathname);
  const files = built.map((path) => matchRoutes(routes as RouteObject[], path)?.at(-1)?.route);
  expect(files.every((route) => route !== undefined && route.path !== "*")).toBe(true);
  expect(new Set(files).size).toBe(new Set(built).size);
  expect(built.length - new Set(built).size).toBe(1);
});

test("the Dashboard link opens the main page of each role", () => {
  const buyer = { isAdmin: false, isSeller: false, staffRole: null };
  const admin = { ...buyer, isAdmin: true };
  expect(dashboardPath({ ...admin, staffRole: "owner" })).toBe("/dashboard/allSellers");
  expect(dashboardPath({ ...admin, staffRole: "finance" })).toBe("/dashboard/overview");
  expect(dashboardPath({ ...buyer, isSeller: true })).toBe("/dashboard/addProduct");
  expect(dashboardPath(buyer)).toBe("/dashboard");
});

describe("after logging in", () => {
  test.each(["/", "/dashboard/payment/0193-a?step=2", "/categoryProducts/0193-a?book=0193-b"])(
    "login returns to a URL on this site with its query: %s",
    (from) => {
      const login = new URL(paths.login(from), "http://here");
      expect(safeDestination(login.searchParams.get("from") ?? undefined)).toBe(from);
    },
  );

  test.each([
    undefined,
    "",
    "dashboard",
    "https://elsewhere.test/",
    "//elsewhere.test/",
    "/\\elsewhere.test/",
    "/\t/elsewhere.test/",
    "/.//elsewhere.test/",
    "javascript:alert(1)",
  ])("login leads to Home if the return URL is missing or not a path on this site: %j", (from) => {
    expect(safeDestination(from)).toBe("/");
  });

  test("login never redirects to another site, however the return URL is encoded", () => {
    const trap = fc.constantFrom(
      "/",
      "\\",
      "\t",
      "\n",
      "//",
      ".",
      "..",
      "@",
      ":",
      "%2f",
      "%5c",
      "%09",
      "%00",
    );
    const host = fc.constantFrom(
      "elsewhere.test",
      "here.invalid@elsewhere.test",
      "javascript:alert(1)",
    );
    const unicode = fc.constantFrom("／", "＼", "。", "\u2028", "\ufeff", "\0", "\ud800");
    const part = fc.oneof(trap, host, unicode, fc.string(), fc.constant("data:text/html,x"));
    const address = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(""));
    const encoded = address.map((text) => encodeURIComponent(text.toWellFormed()));
    const site = "https://secondlap.test";
    fc.assert(
      fc.property(
        fc.oneof(
          address,
          encoded,
          address.map((text) => `/${text}`),
        ),
        (from) => {
          const login = new URL(paths.login(from), site);
          for (const way of [from, login.searchParams.get("from") ?? undefined]) {
            const destination = safeDestination(way);
            // A router may use the destination as is, or resolve it against the current page.
            for (const base of [site, `${site}/login`, `${site}/dashboard/payment/1`]) {
              expect(new URL(destination, base).origin).toBe(site);
            }
            expect(safeDestination(destination)).toBe(destination);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
