import { baseRings } from "./base.ts";
import { darker } from "./color.ts";
import { lidRings } from "./lid.ts";
import { places } from "./places.ts";
import { hull } from "./shapes.ts";
import { soft } from "./soft.ts";
import type { Point, Point3 } from "./space.ts";
import type { Stage } from "./stage.ts";

/** What the laptop keeps off the desk: a long soft shadow, and a dark one where they touch. */
export function drawShadow(stage: Stage): string {
  const { turn, look } = stage;
  const base = baseRings(stage).map((ring) => ring.map(turn));
  const lid = lidRings(stage).flat().map(turn);
  const foot = base.at(-1) ?? [];
  const fill = darker(places[look.place].desk, 0.86);
  return [
    soft(thrown(stage, [...base.flat(), ...lid]), { fill, opacity: 0.34, spread: 46 }),
    soft(thrown(stage, base.flat()), { fill, opacity: 0.5, spread: 17 }),
    soft(thrown(stage, foot), { fill, opacity: 0.75, spread: 6 }),
  ].join("");
}

/** The outline on the desk of the shadow that points in the room throw. */
export function thrown({ room, light }: Stage, points: readonly Point3[]): Point[] {
  const [lx, ly, lz] = light;
  return hull(points.map(([x, y, z]) => room([x - (lx * z) / lz, y - (ly * z) / lz, 0])));
}
