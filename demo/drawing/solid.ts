import { type Color, mix } from "./color.ts";
import { path } from "./pen.ts";
import type { Plane } from "./plane.ts";
import { type Box, hull, outline, polygon } from "./shapes.ts";
import { add, cross, dot, type Point, type Point3, times, unit } from "./space.ts";
import type { Stage } from "./stage.ts";

/** One level of a solid: its outline in the laptop's axes, clockwise as seen from outside. */
export type Ring = readonly Point3[];

/** The outline of a box on a plane, shrunk by `inset` and raised by `lift`, as a ring. */
export function ringOn(plane: Plane, shape: Box, inset = 0): Ring {
  const { x, y, w, h, r = 0, lift = 0 } = shape;
  const smaller = { x: x + inset, y: y + inset, w: w - 2 * inset, h: h - 2 * inset };
  return outline({ ...smaller, r: Math.max(r - inset, 0.05) }).map(([px, py]) =>
    plane.spot(px, py, lift),
  );
}

/** The sides of a solid whose levels are the given rings, from the outermost face inwards. */
export function sides(stage: Stage, rings: readonly Ring[], color: Color): string {
  const silhouette = polygon(hull(rings.flat().map(stage.laptop)));
  const bands = rings.slice(1).flatMap((ring, index) => band(stage, rings[index] ?? ring, ring));
  const tones = bands.map(({ d, shine }) => {
    const tone = toned(stage, color, shine);
    return path(d, { fill: tone, stroke: tone, "stroke-width": 0.8 });
  });
  return path(silhouette, { fill: mix(color, stage.palette.shade, 0.7) }) + tones.join("");
}

interface Side {
  readonly d: string;
  readonly shine: number;
}

function band(stage: Stage, upper: Ring, lower: Ring): Side[] {
  return upper.flatMap((a, index) => {
    const next = (index + 1) % upper.length;
    const [b, c, d] = [upper[next], lower[next], lower[index]];
    if (!b || !c || !d) return [];
    const seen = [a, b, c, d].map(stage.laptop);
    if (winding(seen) >= 0) return [];
    const normal = stage.turn(unit(cross(minus(b, a), minus(d, a))));
    return [{ d: polygon(seen), shine: Math.max(0, -dot(normal, stage.light)) }];
  });
}

function minus(a: Point3, b: Point3): Point3 {
  return add(a, times(b, -1));
}

/** Positive when the points run clockwise in the picture, which is when a side faces away. */
function winding(points: readonly Point[]): number {
  return points.reduce((sum, [x, y], index) => {
    const [nextX, nextY] = points[(index + 1) % points.length] ?? [x, y];
    return sum + x * nextY - nextX * y;
  }, 0);
}

function toned({ palette }: Stage, color: Color, shine: number): Color {
  const dim = mix(color, palette.shade, 0.85);
  return mix(dim, mix(color, palette.light, 0.6), Math.min(1, shine * 1.25));
}
