import { expect, test } from "vitest";
import { readProcessor } from "#contract/cpu-names.ts";

test.for<[string, string | undefined, number | undefined]>([
  ["Intel Core i7-1165G7", "Core i7", 11],
  ["Intel Core i7-1065G7", "Core i7", 10],
  ["Intel Core i5-8350U", "Core i5", 8],
  ["Intel(R) Core(TM) i7-12700H", "Core i7", 12],
  ["i9 13950HX", "Core i9", 13],
  ["Intel Core i7-720QM", "Core i7", 1],
  ["Core i5", "Core i5", undefined],
  ["Intel Core Ultra 7 155H", "Core Ultra 7", 1],
  ["Intel Core m3-8100Y", "Core m3", 8],
  ["AMD Ryzen 7 PRO 7840U", "Ryzen 7", 7],
  ["AMD Ryzen 9 5900HX", "Ryzen 9", 5],
  ["AMD Ryzen AI 7 350", "Ryzen AI 7", undefined],
  ["Apple M1", "Apple M1", 1],
  ["Apple M3 Pro", "Apple M3 Pro", 3],
  ["Snapdragon X Elite", "Snapdragon X Elite", undefined],
  ["Intel Celeron N4500", "Celeron", undefined],
  ["VIA C7-M", undefined, undefined],
])("readProcessor finds the family and generation in %s", ([cpu, cpu_family, cpu_generation]) => {
  expect(readProcessor(cpu)).toEqual({ cpu_family, cpu_generation });
});
