import { add, cross, type Point, type Point3, type Project, times, unit } from "./space.ts";

/** A flat face in space that can be drawn on as on paper: x to the right, y down the face. */
export interface Plane {
  /** Where a place on the face, raised by `lift` above it, is in space. */
  spot(x: number, y: number, lift?: number): Point3;
  /** Where it appears in the picture. */
  at(x: number, y: number, lift?: number): Point;
}

export interface Face {
  readonly origin: Point3;
  readonly right: Point3;
  readonly down: Point3;
}

export function planeOf(project: Project, { origin, right, down }: Face): Plane {
  const normal = unit(cross(down, right));
  const spot = (x: number, y: number, lift = 0) =>
    add(add(origin, times(right, x)), add(times(down, y), times(normal, lift)));
  return { spot, at: (x, y, lift) => project(spot(x, y, lift)) };
}

/**
 * Two places in the picture for a gradient that runs down the plane from one height to another.
 * A gradient's bands stand square to its line, so the line is turned until they lie along the plane.
 */
export function downwards(plane: Plane, x: number, [from, to]: Point): [Point, Point] {
  const [ax, ay] = plane.at(x, from);
  const [bx, by] = plane.at(x, to);
  const [nx, ny] = plane.at(x + 1, from);
  const length = Math.hypot(nx - ax, ny - ay);
  const [sx, sy] = [-(ny - ay) / length, (nx - ax) / length];
  const run = (bx - ax) * sx + (by - ay) * sy;
  return [
    [ax, ay],
    [ax + sx * run, ay + sy * run],
  ];
}

/** The same plane with another origin and unit, so that a picture on it can think in its own. */
export function within(plane: Plane, [left, top]: Point, size: number): Plane {
  return {
    spot: (x, y, lift) => plane.spot(left + x * size, top + y * size, lift),
    at: (x, y, lift) => plane.at(left + x * size, top + y * size, lift),
  };
}
