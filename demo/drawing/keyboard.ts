import { brightness, type Color, darker, lighter, mix } from "./color.ts";
import { type Keyboard, keyboardOf } from "./layout.ts";
import { legend } from "./legends.ts";
import { element, path, type Stop } from "./pen.ts";
import { downwards } from "./plane.ts";
import { box } from "./shapes.ts";
import type { Stage } from "./stage.ts";

/** How far the caps stand above the deck: flat enough that the gaps between rows stay visible. */
const capHeight = 0.06;

/** The keyboard: its recess, the caps and what is printed or glows on them. */
export function drawKeyboard(stage: Stage, keyboard: Keyboard = keyboardOf(stage)): string {
  return [
    well(stage, keyboard),
    caps(stage, keyboard),
    legends(stage, keyboard),
    pointingStick(stage, keyboard),
  ].join("");
}

function well(stage: Stage, { well: hollow }: Keyboard): string {
  const { deck, palette, pen } = stage;
  const glow = glowOf(stage, hollow);
  const dark = brightness(palette.key) < 0.4;
  const fill = dark ? mix(palette.key, "#000000", 0.45) : darker(palette.metal, 0.2);
  const shadow = pen.linear(...downwards(deck, hollow.x, [hollow.y, hollow.y + 1.4]), [
    [0, "#000000", 0.45],
    [1, "#000000", 0],
  ]);
  const d = box(deck, hollow);
  return [
    path(box(deck, { ...hollow, y: hollow.y + 0.05 }), {
      fill: "none",
      stroke: lighter(palette.metal, 0.5),
      "stroke-width": 1.2,
      opacity: 0.5,
    }),
    path(d, { fill }),
    path(d, { fill: shadow }),
    glow ? path(d, { fill: glow, opacity: 0.5 }) : "",
  ].join("");
}

function caps({ deck, palette, pen, body, light }: Stage, { keys, well: area }: Keyboard): string {
  const skirt = keys.map((key) => box(deck, { ...key, y: key.y + 0.05, lift: 0 })).join("");
  const tops = keys.map((key) => box(deck, { ...key, lift: capHeight })).join("");
  const [near, far] = light[0] < 0 ? [0, body.width] : [body.width, 0];
  const fill = pen.linear(deck.at(near, area.y), deck.at(far, area.y + area.h), [
    [0, lighter(palette.key, 0.1)],
    [0.5, palette.key],
    [1, darker(palette.key, 0.22)],
  ]);
  const edge = brightness(palette.key) < 0.4 ? lighter(palette.key, 0.16) : "#ffffff";
  return (
    path(skirt, { fill: darker(palette.key, 0.42), opacity: 0.9 }) +
    path(tops, { fill, stroke: edge, "stroke-width": 0.7, "stroke-opacity": 0.55 })
  );
}

function legends(stage: Stage, { keys, well: area, pitch }: Keyboard): string {
  const { deck, palette, look } = stage;
  const lit = glowOf(stage, area);
  const corner = look.system === "windows" && look.build !== "ultrabook";
  const d = keys
    .map((key) => {
      const size = key.h < pitch * 0.6 ? pitch * 0.13 : pitch * 0.24;
      const [x, y] = corner
        ? [key.x + 0.28, key.y + 0.25]
        : [key.x + key.w / 2 - size / 3, key.y + key.h / 2 - size / 2];
      const left = key.legend === "=" ? key.x + 0.25 : x;
      const top = key.legend === "=" ? key.y + key.h - size - 0.2 : y;
      return legend({ ...deck, at: (u, v) => deck.at(u, v, capHeight) }, key.legend, {
        at: [left, top],
        size,
      });
    })
    .filter(Boolean)
    .join("");
  const ink = { fill: "none", stroke: lit ?? palette.legend, "stroke-linecap": "round" };
  return path(d, { ...ink, "stroke-width": 1.35, opacity: lit ? 1 : 0.85 });
}

const glows: Readonly<Record<string, readonly [Color, ...Color[]]>> = {
  rainbow: ["#ff4d6d", "#ffb03a", "#8be04e", "#35d6d0", "#4f8dff", "#b45cff"],
  green: ["#46e05c", "#3ad14f"],
  red: ["#ff4b4b", "#ff2f3d"],
};

function glowOf({ look, deck, pen }: Stage, area: Keyboard["well"]): string | undefined {
  const colors = glows[look.keys ?? ""];
  if (!colors) return undefined;
  const stops = colors.map((color, index): Stop => [index / (colors.length - 1), color]);
  return pen.linear(deck.at(area.x, area.y), deck.at(area.x + area.w, area.y), stops);
}

/** The red nub between G, H and B that some business laptops are known by. */
function pointingStick({ look, deck, pen }: Stage, { keys }: Keyboard): string {
  const b = keys.find((key) => key.legend === "B");
  if (!look.pointingStick || !b) return "";
  const [x, y] = [b.x + b.w * 0.5, b.y - 0.12];
  const [cx, cy] = deck.at(x, y, 0.28);
  const [right] = deck.at(x + 0.34, y, 0.28);
  const r = right - cx;
  const fill = pen.radial([cx - r * 0.3, cy - r * 0.5], r * 1.6, [
    [0, "#ff6b62"],
    [0.6, "#cf2030"],
    [1, "#7d0f1b"],
  ]);
  const round = { cx, rx: r, ry: r * 0.72 };
  return (
    element("ellipse", { ...round, cy: cy + r * 0.5, fill: "#000000", opacity: 0.5 }) +
    element("ellipse", { ...round, cy, fill })
  );
}
