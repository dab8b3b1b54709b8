import { describe, expect, test } from "vitest";
import { factsForm } from "#contract/facts.ts";
import { newProduct } from "#contract/products.ts";
import { choicesOf, factsOfModel, findModels, models } from "./models.ts";

const namesFor = (text: string) => findModels(text, 5).map(({ name }) => name);

describe("the model catalog", () => {
  test("the model catalog has at least 400 models, each with a unique name that is valid for a listing", () => {
    expect(models.length).toBeGreaterThanOrEqual(400);
    expect(new Set(models.map(({ name }) => name)).size).toBe(models.length);
    for (const { name } of models)
      expect(newProduct.shape.product_name.safeParse(name), name).toMatchObject({ data: name });
  });

  test("each model in the catalog has a plausible year, and only values that the form accepts", () => {
    for (const model of models) {
      expect(model.year, model.name).toBeGreaterThanOrEqual(2008);
      expect(model.year, model.name).toBeLessThanOrEqual(2026);
      const { error } = factsForm.safeParse(factsOfModel(model));
      expect(error?.issues, model.name).toBeUndefined();
      for (const [field, choices] of Object.entries(choicesOf(model)))
        for (const choice of choices)
          expect(factsForm.safeParse({ [field]: choice }).error, choice).toBeUndefined();
    }
  });

  test("each model in the catalog has resolutions in pixels, full processor names, and no duplicates in its lists", () => {
    for (const { name, resolutions, cpus, gpus, ports } of models) {
      for (const resolution of resolutions) expect(resolution, name).toMatch(/^\d{4} × \d{3,4}$/);
      for (const cpu of cpus)
        expect(cpu, name).toMatch(
          /^(Intel (Core|Xeon|Celeron|Pentium)|AMD|Apple M|Qualcomm|MediaTek)/,
        );
      for (const list of [resolutions, cpus, gpus, ports])
        expect(new Set(list).size, name).toBe(list.length);
    }
  });

  test("each model in the catalog has plausible values for screen, weight, battery and memory", () => {
    for (const { name, inches, grams, batteryWh, maxRamGb } of models) {
      expect(Number(inches), name).toBeGreaterThanOrEqual(10);
      expect(Number(inches), name).toBeLessThanOrEqual(17.3);
      if (grams) expect(Number(grams) >= 500 && Number(grams) <= 3500, name).toBe(true);
      if (batteryWh) expect(Number(batteryWh) >= 25 && Number(batteryWh) <= 100, name).toBe(true);
      if (maxRamGb) expect([2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64, 96, 128]).toContain(maxRamGb);
    }
  });
});

describe("finding a model", () => {
  test("a model is found by words in any order, with or without hyphens and parentheses", () => {
    expect(namesFor("carbon x1 gen 9")).toEqual(["Lenovo ThinkPad X1 Carbon Gen 9"]);
    expect(namesFor("macbook air m1")).toEqual(["MacBook Air 13-inch (M1, 2020)"]);
    expect(namesFor("apple macbook air 15 inch m2")).toEqual(["MacBook Air 15-inch (M2, 2023)"]);
  });

  test("a model search finds nothing for empty text, and no more models than the limit", () => {
    expect(namesFor("  ")).toEqual([]);
    expect(namesFor("lenovo")).toHaveLength(5);
  });
});

describe("choosing a model", () => {
  test("choosing a model fills in its fixed facts, and offers choices for facts that vary", () => {
    const [model] = findModels("ThinkPad X1 Carbon Gen 9", 1);
    if (!model) throw new Error("The model is not in the catalogue.");
    expect(factsOfModel(model)).toEqual({
      brand: "Lenovo",
      model_line: "ThinkPad X1 Carbon",
      gpu: "Intel Iris Xe",
      screen_inches: "14",
      weight_grams: "1130",
      ports: ["USB-C", "Thunderbolt", "USB-A", "HDMI", "Headphones"],
    });
    expect(choicesOf(model)).toMatchObject({
      cpu: expect.arrayContaining(["Intel Core i7-1165G7"]),
      screen_resolution: ["1920 × 1200", "3840 × 2400"],
      ram_gb: ["2", "3", "4", "6", "8", "12", "16", "18", "20", "24", "32"],
    });
  });
});
