import type { Plane } from "./plane.ts";
import type { Point } from "./space.ts";

/** A rectangle on a plane, in the plane's units, its corners rounded by `r`, raised by `lift`. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly r?: number;
  readonly lift?: number;
}

export interface Disc {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly lift?: number;
}

export function polygon(points: readonly Point[]): string {
  return `${line(points)}Z`;
}

export function line(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${tenth(x)} ${tenth(y)}`).join("L")}`;
}

/** The path of a rounded rectangle lying on a plane, in perspective. */
export function box(plane: Plane, { x, y, w, h, r = 0, lift = 0 }: Box): string {
  const bend = Math.min(r, w / 2, h / 2);
  const spot = (px: number, py: number) => plane.at(px, py, lift).map(tenth).join(" ");
  if (bend === 0) {
    return `M${spot(x, y)}L${spot(x + w, y)}L${spot(x + w, y + h)}L${spot(x, y + h)}Z`;
  }
  return [
    `M${spot(x + bend, y)}L${spot(x + w - bend, y)}Q${spot(x + w, y)} ${spot(x + w, y + bend)}`,
    `L${spot(x + w, y + h - bend)}Q${spot(x + w, y + h)} ${spot(x + w - bend, y + h)}`,
    `L${spot(x + bend, y + h)}Q${spot(x, y + h)} ${spot(x, y + h - bend)}`,
    `L${spot(x, y + bend)}Q${spot(x, y)} ${spot(x + bend, y)}Z`,
  ].join("");
}

/** The path of a circle lying on a plane, in perspective. */
export function disc(plane: Plane, { x, y, r, lift = 0 }: Disc): string {
  const around = (angle: number, radius: number) =>
    plane
      .at(x + radius * Math.cos(angle), y + radius * Math.sin(angle), lift)
      .map(tenth)
      .join(" ");
  const step = Math.PI / 4;
  const arcs = Array.from({ length: 8 }, (_, index) => {
    const middle = around((index + 0.5) * step, r / Math.cos(step / 2));
    return `Q${middle} ${around((index + 1) * step, r)}`;
  });
  return `M${around(0, r)}${arcs.join("")}Z`;
}

/** A line through points of a plane, in perspective. */
export function stroke(plane: Plane, points: readonly Point[]): string {
  return line(points.map(([x, y]) => plane.at(x, y)));
}

/** An area between points of a plane, in perspective. */
export function area(plane: Plane, points: readonly Point[]): string {
  return polygon(points.map(([x, y]) => plane.at(x, y)));
}

/** The outline of a rounded rectangle as points, clockwise from its top left on the plane. */
export function outline({ x, y, w, h, r = 0 }: Box): Point[] {
  const steps = 6;
  const corners: readonly Point[] = [
    [x + r, y + r],
    [x + w - r, y + r],
    [x + w - r, y + h - r],
    [x + r, y + h - r],
  ];
  return corners.flatMap(([cx, cy], corner) =>
    Array.from({ length: steps + 1 }, (_, index): Point => {
      const angle = Math.PI * (1 + corner / 2) + (index / steps) * (Math.PI / 2);
      return [cx + r * Math.cos(angle), cy + r * Math.sin(angle)];
    }),
  );
}

/** Points along `y = height(x)` from left to right, close enough together to look smooth. */
export function graph(from: number, to: number, height: (x: number) => number): Point[] {
  const steps = 40;
  return Array.from({ length: steps + 1 }, (_, index) => {
    const x = from + ((to - from) * index) / steps;
    return [x, height(x)];
  });
}

/** The tightest convex outline around points (Andrew's monotone chain). */
export function hull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
  const half = (side: readonly Point[]) => {
    const chain: Point[] = [];
    for (const point of side) {
      while (chain.length >= 2 && turn(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

/** A tenth of a pixel is as fine as a path has to be. */
function tenth(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function turn(a: Point | undefined, b: Point | undefined, [cx, cy]: Point): number {
  if (!a || !b) return 0;
  return (b[0] - a[0]) * (cy - a[1]) - (b[1] - a[1]) * (cx - a[0]);
}
