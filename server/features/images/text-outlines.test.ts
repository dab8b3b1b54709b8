import { expect, test } from "vitest";
import { outlineOf, showable, type TextStyle, widthOf, wrap } from "./draw-layers.ts";

const style: TextStyle = { family: "title", size: 48, letterSpacing: -0.02 };
const space = { width: 400, lines: 3 };

test.each([
  ["MacBook Air", ["MacBook Air"]],
  ["Lenovo ThinkPad X1 Carbon Gen 12", ["Lenovo ThinkPad", "X1 Carbon Gen 12"]],
])("the text %s wraps between words", (name, lines) => {
  expect(wrap(name, space, style)).toEqual(lines);
});

test.each([
  "Lenovo ThinkPad X1 Carbon Gen 12, Core Ultra 7 155H, 32 GB, 1 TB, charger and dock included",
  "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichensammlung",
  "W".repeat(120),
])("the text %s is truncated with an ellipsis at the end of the third line", (name) => {
  const lines = wrap(name, space, style);
  expect(lines).toHaveLength(3);
  expect(lines.at(-1)).toMatch(/.…$/);
  expect(name.replaceAll(" ", "")).toContain(lines.join("").slice(0, -1).replaceAll(" ", ""));
  for (const line of lines) expect(widthOf(line, style)).toBeLessThanOrEqual(space.width);
});

test("text outlines contain only path commands and numbers, whatever the text", () => {
  const texts = ["$6", '"/><image href="file:///etc/passwd"/><path d="', "&lt; ]]> Łódź €1,299.50"];
  for (const text of texts)
    for (let x = 0; x < 60; x += 0.7)
      expect(outlineOf(text, { x, y: 528 }, style)).toMatch(/^(?:[MLQCZ][-\d. ]*)+$/);
});

test("characters that the fonts lack are omitted or lose their accent", () => {
  expect(showable("Dell 💻 XPS\n漢字 Łódź Việt\u202e")).toBe("Dell XPS Łódź Viet");
  expect(showable("ноутбук")).toBe("");
});
