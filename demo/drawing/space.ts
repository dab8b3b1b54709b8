/** A place in the picture, in pixels: x to the right, y down. */
export type Point = readonly [x: number, y: number];

/** A place on the desk, in centimetres: x to the right, y away from the camera, z up. */
export type Point3 = readonly [x: number, y: number, z: number];

export type Project = (point: Point3) => Point;

/** How far the camera stands from the laptop, in centimetres, and how far above it, in radians. */
export interface Camera {
  readonly distance: number;
  readonly elevation: number;
}

/** What a pinhole camera looking at the origin sees, in units of its focal length. */
export function seenBy({ distance, elevation }: Camera): Project {
  const cos = Math.cos(elevation);
  const sin = Math.sin(elevation);
  return ([x, y, z]) => {
    const depth = distance + y * cos - z * sin;
    return [x / depth, -(y * sin + z * cos) / depth];
  };
}

/** The part of the picture a thing is to fill, in pixels around its centre. */
export interface Frame {
  readonly center: Point;
  readonly width: number;
  readonly height: number;
}

/** Zooms and pans a projection until the given points fill the frame without leaving it. */
export function framed(project: Project, points: readonly Point3[], frame: Frame): Project {
  const seen = points.map(project);
  const [left, right] = extent(seen.map(([x]) => x));
  const [top, bottom] = extent(seen.map(([, y]) => y));
  const zoom = Math.min(frame.width / (right - left), frame.height / (bottom - top));
  const [centerX, centerY] = frame.center;
  return (point) => {
    const [x, y] = project(point);
    return [centerX + (x - (left + right) / 2) * zoom, centerY + (y - (top + bottom) / 2) * zoom];
  };
}

function extent(values: readonly number[]): [low: number, high: number] {
  return [Math.min(...values), Math.max(...values)];
}

/** Turns a point about the vertical axis by an angle in radians, counter-clockwise from above. */
export function turned([x, y, z]: Point3, angle: number): Point3 {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  return [x * cos - y * sin, x * sin + y * cos, z];
}

export function add([x, y, z]: Point3, [dx, dy, dz]: Point3): Point3 {
  return [x + dx, y + dy, z + dz];
}

export function times([x, y, z]: Point3, factor: number): Point3 {
  return [x * factor, y * factor, z * factor];
}

export function cross([ax, ay, az]: Point3, [bx, by, bz]: Point3): Point3 {
  return [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
}

export function dot([ax, ay, az]: Point3, [bx, by, bz]: Point3): number {
  return ax * bx + ay * by + az * bz;
}

export function unit(vector: Point3): Point3 {
  return times(vector, 1 / Math.hypot(...vector));
}
