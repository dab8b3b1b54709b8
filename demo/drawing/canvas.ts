import type { Mood } from "../types.ts";
import type { Color } from "./color.ts";
import type { Dice } from "./dice.ts";
import type { Pen, Stop } from "./pen.ts";
import type { Plane } from "./plane.ts";
import type { Point } from "./space.ts";

/** Six colours from the sky down: high sky, low sky, far, middle, near, and the one that shines. */
export interface Tones {
  readonly high: Color;
  readonly low: Color;
  readonly far: Color;
  readonly middle: Color;
  readonly near: Color;
  readonly shine: Color;
}

/** The lit part of a display, one unit high and `width` units wide, to paint a wallpaper on. */
export interface Canvas {
  readonly plane: Plane;
  readonly width: number;
  readonly pen: Pen;
  readonly dice: Dice;
  readonly tones: Tones;
}

/** A gradient between two places of the canvas. */
export function fade({ plane, pen }: Canvas, [from, to]: [Point, Point], stops: Stop[]): string {
  return pen.linear(plane.at(...from), plane.at(...to), stops);
}

/** A gradient around a place of the canvas; the radius is in the canvas's units. */
export function glow(
  { plane, pen }: Canvas,
  { at: [x, y], radius }: { at: Point; radius: number },
  stops: Stop[],
): string {
  const center = plane.at(x, y);
  const edge = plane.at(x, y + radius);
  return pen.radial(center, Math.hypot(edge[0] - center[0], edge[1] - center[1]), stops);
}

export const moods: Readonly<Record<Mood, Tones>> = {
  ember: tones("#2a1a3e #e4643c #f3a25c #a13a55 #3d1d48 #ffe2ae"),
  lagoon: tones("#0d3b57 #5fc1bf #8fd8c8 #2a8c97 #0e4a63 #f6f3d4"),
  orchard: tones("#f3e3c3 #f0b98a #8fa873 #55774f #2d4a3a #fff4d8"),
  dusk: tones("#1d2150 #b06aa6 #7d5aa6 #4a3d86 #241f57 #ffd3c2"),
  citrus: tones("#ffe9b8 #ffb65c #f58a4b #d95a52 #8c3355 #fff8e0"),
  frost: tones("#dfe9f2 #b4cce0 #8fb0cd #5f86ad #33557f #ffffff"),
  neon: tones("#0c0a1f #3a1466 #7a2ac2 #d136a8 #1b1440 #5df0ff"),
  clay: tones("#efe0d2 #dcb79f #c98d74 #9c5f52 #5c3a3d #fff3e6"),
};

function tones(list: string): Tones {
  const [high, low, far, middle, near, shine] = list.split(" ") as [
    Color,
    Color,
    Color,
    Color,
    Color,
    Color,
  ];
  return { high, low, far, middle, near, shine };
}
