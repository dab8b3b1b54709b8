import { matchRoutes, type RouteObject } from "react-router";
import { describe, expect, test } from "vitest";
import { dashboardPath, paths, safeDestination } from "./paths.ts";
import routes from "./routes.ts";

const id = "0193-a";

test("every path leads to a route of its own", () => {
  const built = Object.values(paths).map((path) => path(id));
  const files = built.map((path) => {
    const { pathname } = new URL(path, "http://here");
    return matchRoutes(routes as RouteObject[], pathname)?.at(-1)?.route;
  });
  expect(files.every((route) => route !== undefined && route.path !== "*")).toBe(true);
  expect(new Set(files).size).toBe(built.length);
});

test("the Dashboard link leads where a role works", () => {
  expect(dashboardPath({ isAdmin: true, isSeller: false })).toBe("/dashboard/allSellers");
  expect(dashboardPath({ isAdmin: false, isSeller: true })).toBe("/dashboard/addProduct");
  expect(dashboardPath({ isAdmin: false, isSeller: false })).toBe("/dashboard");
});

describe("after logging in", () => {
  test.each(["/", "/dashboard/payment/0193-a?step=2", "/categoryProducts/0193-a?book=0193-b"])(
    "a page of ours is gone back to, with its query: %s",
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
  ])("any other address leads home: %j", (from) => {
    expect(safeDestination(from)).toBe("/");
  });
});
