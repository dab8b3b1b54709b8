import { expect, test } from "vitest";
import { table } from "#contract/all-calls.ts";
import { mergeDistinct } from "#contract/merge-distinct.ts";
import { allJobs } from "./all-jobs.ts";

test("a call or job that is defined in two files is rejected at start", () => {
  const { listCategories } = table;
  expect(() => mergeDistinct(table, { listCategories })).toThrow("listCategories is defined twice");
  const { cleanUp } = allJobs;
  expect(() => mergeDistinct({ cleanUp }, allJobs)).toThrow("cleanUp is defined twice");
});
