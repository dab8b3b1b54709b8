import { type Color, darker, lighter, mix } from "./color.ts";
import { path } from "./pen.ts";
import { hull, line, polygon } from "./shapes.ts";
import type { Point, Point3 } from "./space.ts";
import { type Standing, shadowOf } from "./standing.ts";

interface Level {
  readonly z: number;
  readonly r: number;
}

/** A round thing that stands on the desk: its shadow, its side and its open top. */
export function drawMug(standing: Standing): string {
  const { stage, scenery, x, y } = standing;
  const color = scenery.accent;
  const foot = { z: 0, r: 3.4 };
  const rim = { z: 9, r: 4.1 };
  const out = Math.sign(x);
  const handle = Array.from({ length: 15 }, (_, index): Point => {
    const angle = -1.45 + (index / 14) * 2.9;
    return stage.room([x + out * (3.7 + 2.9 * Math.cos(angle)), y, 4.9 + 2.6 * Math.sin(angle)]);
  });
  const grip = { fill: "none", "stroke-linecap": "round" };
  return [
    shadowOf(standing, [...circle(standing, foot), ...circle(standing, rim)]),
    path(line(handle), { ...grip, stroke: darker(color, 0.28), "stroke-width": 30 }),
    path(line(handle), { ...grip, stroke: darker(color, 0.04), "stroke-width": 23 }),
    turnedSide(standing, [foot, rim], color),
    opening(standing, rim, [lighter(color, 0.3), darker(color, 0.35)]),
    opening(standing, { z: 8.3, r: 3.65 }, ["#4a2d1f", "#2c1a12"]),
  ].join("");
}

export function drawPlant(standing: Standing): string {
  const { scenery, throws } = standing;
  const rim = { z: 8.2, r: 5 };
  const foot = { z: 0, r: 3.9 };
  const greens = ["#4f7a55", "#3f6a4e", "#6b9463", "#5a8560"] as const;
  const count = 11;
  const leaves = Array.from({ length: count }, (_, index) => {
    const spread = (((index * 7) % count) / (count - 1) - 0.5) * 2;
    return leaf(standing, {
      lean: spread * 1.15 + throws.between(-0.12, 0.12),
      length: (17 - Math.abs(spread) * 4) * throws.between(0.82, 1.08),
      color: throws.pick(greens),
    });
  });
  return [
    shadowOf(standing, [...circle(standing, foot), ...circle(standing, { z: 18, r: 8 })]),
    turnedSide(standing, [foot, rim], scenery.second),
    opening(standing, rim, [lighter(scenery.second, 0.25), darker(scenery.second, 0.25)]),
    opening(standing, { z: 7.9, r: 4.4 }, ["#4b382c", "#33251d"]),
    ...leaves,
  ].join("");
}

interface Leaf {
  readonly lean: number;
  readonly length: number;
  readonly color: Color;
}

/** One leaf, lit on one half: it grows from the pot and bends outwards as it gets longer. */
function leaf({ stage, x, y }: Standing, { lean, length, color }: Leaf): string {
  const rib = Array.from({ length: 13 }, (_, index) => {
    const share = index / 12;
    const angle = lean * (0.35 + 0.9 * share);
    return {
      share,
      px: x + length * share * Math.sin(angle),
      pz: 8 + length * share * Math.cos(angle),
    };
  });
  const edge = (side: number) =>
    rib.map(({ share, px, pz }): Point => {
      const girth = side * 2 * Math.sin(Math.PI * Math.min(1, share ** 0.75)) * (length / 15);
      return stage.room([px + girth * Math.cos(lean), y, pz - girth * Math.sin(lean)]);
    });
  const spine = edge(0);
  const half = (side: number, fill: Color) =>
    path(polygon([...edge(side), ...spine.toReversed()]), { fill });
  const lit = stage.light[0] < 0 ? -1 : 1;
  return half(lit, lighter(color, 0.16)) + half(-lit, darker(color, 0.2));
}

function circle({ x, y }: Standing, { z, r }: Level): Point3[] {
  return Array.from({ length: 28 }, (_, index): Point3 => {
    const angle = (index / 28) * Math.PI * 2;
    return [x + r * Math.cos(angle), y + r * Math.sin(angle), z];
  });
}

function turnedSide(standing: Standing, levels: readonly Level[], color: Color): string {
  const { room, pen, light } = standing.stage;
  const outline = hull(levels.flatMap((level) => circle(standing, level).map(room)));
  const [left, right] = [-6, 6].map((dx) => room([standing.x + dx, standing.y, 4]));
  if (!left || !right) return "";
  const [from, to] = light[0] < 0 ? [left, right] : [right, left];
  const fill = pen.linear(from, to, [
    [0.1, darker(color, 0.05)],
    [0.3, lighter(color, 0.28)],
    [0.55, color],
    [1, darker(color, 0.48)],
  ]);
  return path(polygon(outline), { fill });
}

function opening(standing: Standing, level: Level, [lit, dark]: readonly [Color, Color]): string {
  const { room, pen, light } = standing.stage;
  const ring = circle(standing, level).map(room);
  const [a, b] = [ring[14], ring[0]];
  if (!a || !b) return "";
  const fill = pen.linear(...(light[0] < 0 ? ([b, a] as const) : ([a, b] as const)), [
    [0, lit],
    [1, mix(lit, dark, 0.9)],
  ]);
  return path(polygon(ring), { fill });
}
