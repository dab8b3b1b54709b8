import { expect, test } from "vitest";
import { compareRows } from "./compare-rows.ts";
import { comparedIds, comparePath } from "./compared-ids.ts";

test("a row is marked as different only if two laptops state different values", () => {
  const columns = [
    new Map([
      ["Memory", "16 GB"],
      ["Storage", "512 GB"],
      ["Graphics", "RTX 3060"],
    ]),
    new Map([
      ["Storage", "1 TB"],
      ["Memory", "16 GB"],
    ]),
  ];
  expect(compareRows(["Memory", "Storage", "Graphics", "Ports"], columns)).toEqual([
    { label: "Memory", values: ["16 GB", "16 GB"], differs: false },
    { label: "Storage", values: ["512 GB", "1 TB"], differs: true },
    { label: "Graphics", values: ["RTX 3060", undefined], differs: false },
  ]);
});

test("the URL may name up to four distinct ids, repeated or separated by commas", () => {
  const ids = [1, 2, 3, 4, 5].map((n) => `01935a00-0000-7000-8000-00000000000${n}`);
  const [one = "", two = ""] = ids;
  expect(comparedIds(new URLSearchParams(comparePath([one, two]).split("?")[1]))).toEqual({
    ids: [one, two],
    leftOut: 0,
  });
  const query = new URLSearchParams(`ids=${one}&ids=x&ids=${one},${ids.join("&ids=")}`);
  expect(comparedIds(query)).toEqual({ ids: ids.slice(0, 4), leftOut: 1 });
  expect(comparedIds(new URLSearchParams("ids=<script>"))).toEqual({ ids: [], leftOut: 0 });
});
