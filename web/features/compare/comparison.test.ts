import { expect, test } from "vitest";
import { comparedIds, comparePath, compareRows } from "./comparison.ts";

test("a row marks its best values, unless all values are equal or can't be ranked", () => {
  const column = (values: Record<string, string>, scores = {}) => ({
    values: new Map(Object.entries(values)),
    scores,
  });
  const columns = [
    column(
      { Memory: "16 GB", Storage: "512 GB", Graphics: "RTX 3060", Brand: "HP" },
      { Memory: 16, Storage: 512 },
    ),
    column({ Storage: "1 TB", Memory: "16 GB", Brand: "HP" }, { Memory: 16, Storage: 1000 }),
    column({ Storage: "1 TB", Brand: "HP" }, { Storage: 1000 }),
  ];
  const rows = compareRows(["Memory", "Storage", "Graphics", "Brand", "Ports"], columns);
  expect(
    rows.map(({ label, cells, isEqual }) => [
      label,
      isEqual,
      ...cells.map(({ value, isBest }) => (isBest ? `${value} ✓` : value)),
    ]),
  ).toEqual([
    ["Memory", false, "16 GB", "16 GB", undefined],
    ["Storage", false, "512 GB", "1 TB ✓", "1 TB ✓"],
    ["Graphics", false, "RTX 3060", undefined, undefined],
    ["Brand", true, "HP", "HP", "HP"],
  ]);
});

test("a comparison uses the first four distinct valid ids in its URL, and counts the remaining valid ids", () => {
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
