import type { Color } from "./color.ts";
import { group, path } from "./pen.ts";
import { polygon } from "./shapes.ts";
import type { Point } from "./space.ts";

/** How a soft-edged shape looks: its edge fades over `spread` pixels to either side. */
export interface Softness {
  readonly fill: Color;
  readonly opacity: number;
  readonly spread: number;
}

/** A convex shape with a soft edge: thin layers, each a little larger, cost a fifth of a blur. */
export function soft(outline: readonly Point[], { fill, opacity, spread }: Softness): string {
  const layers = Math.max(5, Math.min(18, Math.round(spread / 2) + 5));
  const rounded = smooth(resampled(outline));
  const each = 1 - (1 - opacity) ** (1 / layers);
  const shapes = Array.from({ length: layers }, (_, index) => {
    const t = ((index + 0.5) / layers) * 2 - 1;
    return path(polygon(grown(rounded, spread * Math.sign(t) * Math.abs(t) ** 1.4)), {});
  });
  return group({ fill, "fill-opacity": Math.round(each * 1000) / 1000 }, shapes);
}

/** The same closed outline as evenly spaced points. */
function resampled(outline: readonly Point[]): Point[] {
  const count = 60;
  const lengths = outline.map(([x, y], index) => {
    const [nx, ny] = outline[(index + 1) % outline.length] ?? [x, y];
    return Math.hypot(nx - x, ny - y);
  });
  const step = lengths.reduce((sum, length) => sum + length, 0) / count;
  let left = 0;
  return outline.flatMap(([x, y], index) => {
    const [nx, ny] = outline[(index + 1) % outline.length] ?? [x, y];
    const length = lengths[index] ?? 0;
    const points: Point[] = [];
    for (; left < length; left += step) {
      const share = left / length;
      points.push([x + (nx - x) * share, y + (ny - y) * share]);
    }
    left -= length;
    return points;
  });
}

/** Corners rounded off, as a blur would do it. */
function smooth(outline: readonly Point[]): Point[] {
  return outline.map(([x, y], index) => {
    const [px, py] = outline.at(index - 1) ?? [x, y];
    const [nx, ny] = outline[(index + 1) % outline.length] ?? [x, y];
    return [(px + x + nx) / 3, (py + y + ny) / 3];
  });
}

/** The outline moved outwards by a number of pixels; it runs clockwise in the picture. */
function grown(outline: readonly Point[], distance: number): Point[] {
  return outline.map(([x, y], index) => {
    const [px, py] = outline.at(index - 1) ?? [x, y];
    const [nx, ny] = outline[(index + 1) % outline.length] ?? [x, y];
    const length = Math.hypot(nx - px, ny - py) || 1;
    return [x + ((ny - py) / length) * distance, y - ((nx - px) / length) * distance];
  });
}
