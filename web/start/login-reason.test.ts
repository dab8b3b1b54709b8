import { expect, test } from "vitest";
import { paths } from "#web/paths.ts";
import { loginReason } from "./login-reason.ts";

test.each([
  [`${paths.home()}?book=1`, "book"],
  [`${paths.categoryProducts("1")}?report=1`, "report"],
  [paths.categoryProducts("1"), "category"],
  [paths.myOrders(), "page"],
  [paths.profile(), "page"],
  [paths.home(), undefined],
  ["/dashboards", undefined],
  ["https://elsewhere.example/dashboard", undefined],
  [undefined, undefined],
])("for the return URL %s, the reason to log in is %s", (from, reason) => {
  expect(loginReason(from)).toBe(reason);
});
