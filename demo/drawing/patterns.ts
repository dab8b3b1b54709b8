import { type Canvas, fade, glow } from "./canvas.ts";
import { type Color, darker, lighter, mix } from "./color.ts";
import { path, type Stop } from "./pen.ts";
import { area, box, disc, stroke } from "./shapes.ts";
import type { Point } from "./space.ts";

export function ribbons(canvas: Canvas): string {
  const { plane, dice, tones, width } = canvas;
  const phase = dice.between(0, 6);
  const colors = [tones.low, tones.far, tones.middle, tones.near, tones.shine, tones.low];
  const bands = colors.map((color, index) => {
    const edge = (offset: number) => sweep(width, phase + index * 0.55, offset);
    const start = -0.25 + index * 0.24;
    const fill = fade(
      canvas,
      [
        [0, 1 - index * 0.1],
        [width, 0.1],
      ],
      [
        [0, darker(color, 0.22)],
        [0.55, color],
        [1, lighter(color, 0.3)],
      ],
    );
    return path(area(plane, [...edge(start), ...edge(start + 2).toReversed()]), { fill });
  });
  return ground(canvas, tones.high, mix(tones.high, tones.low, 0.5)) + bands.join("");
}

/** A diagonal wave across the canvas. */
function sweep(width: number, phase: number, offset: number): Point[] {
  return Array.from({ length: 41 }, (_, index): Point => {
    const share = index / 40;
    const x = -0.2 + share * (width + 0.4);
    return [x, offset + 0.55 - share * 0.55 + 0.16 * Math.sin(share * 4.6 + phase)];
  });
}

export function arcs(canvas: Canvas): string {
  const { plane, dice, tones, width } = canvas;
  const x = dice.chance(0.5) ? width * 0.18 : width * 0.82;
  const colors = [tones.near, tones.middle, tones.far, tones.low, tones.shine, tones.middle];
  const rings = colors.map((color, index) => {
    const r = 0.98 - index * 0.155;
    const fill = fade(
      canvas,
      [
        [x - r, 1 - r],
        [x + r, 1],
      ],
      [
        [0, lighter(color, 0.12)],
        [1, darker(color, 0.12)],
      ],
    );
    return path(disc(plane, { x, y: 1.02, r }), { fill });
  });
  return ground(canvas, tones.high, mix(tones.high, tones.low, 0.35)) + rings.join("");
}

export function orbs(canvas: Canvas): string {
  const { plane, dice, tones, width } = canvas;
  const colors = [tones.far, tones.near, tones.middle, tones.shine, tones.low, tones.middle];
  const balls = colors.map((color, index) => {
    const r = dice.between(0.1, 0.3);
    const x = ((index + dice.between(0.2, 0.8)) / colors.length) * width;
    const y = dice.between(0.25, 0.8);
    const fill = glow(canvas, { at: [x - r * 0.35, y - r * 0.4], radius: r * 1.6 }, [
      [0, lighter(color, 0.45)],
      [0.45, color],
      [1, darker(color, 0.45)],
    ]);
    return path(disc(plane, { x, y, r }), { fill });
  });
  return ground(canvas, mix(tones.high, tones.low, 0.3), tones.low) + balls.join("");
}

export function tiles(canvas: Canvas): string {
  const { plane, dice, tones, width } = canvas;
  const [size, columns] = [1 / 5, Math.ceil(width * 5)];
  const colors = [tones.low, tones.far, tones.middle, tones.near, tones.shine, tones.high] as const;
  const pieces = Array.from({ length: columns * 5 }, (_, index) => {
    const [x, y] = [(index % columns) * size, Math.floor(index / columns) * size];
    const square = path(box(plane, { x, y, w: size, h: size }), { fill: dice.pick(colors) });
    const fill = dice.pick(colors);
    const kind = dice.between(0, 1);
    if (kind < 0.25)
      return square + path(disc(plane, { x: x + 0.1, y: y + 0.1, r: 0.07 }), { fill });
    return square + path(quarter(canvas, [x, y], Math.floor(kind * 4)), { fill });
  });
  return pieces.join("");
}

function quarter({ plane }: Canvas, [x, y]: Point, corner: number): string {
  const size = 1 / 5;
  const [cx, cy] = [x + (corner % 2) * size, y + Math.floor(corner / 2) * size];
  const [dx, dy] = [corner % 2 ? -1 : 1, corner >= 2 ? -1 : 1];
  const rim = Array.from({ length: 10 }, (_, index): Point => {
    const angle = ((index / 9) * Math.PI) / 2;
    return [cx + dx * size * Math.cos(angle), cy + dy * size * Math.sin(angle)];
  });
  return area(plane, [[cx, cy], ...rim]);
}

export function contours(canvas: Canvas): string {
  const { plane, dice, tones, width } = canvas;
  const hills = [0.24, 0.8].map((share) => ({
    x: width * share + dice.between(-0.1, 0.1),
    y: dice.between(0.25, 0.75),
    phase: dice.between(0, 6),
  }));
  const lines = hills.flatMap(({ x, y, phase }) =>
    Array.from({ length: 11 }, (_, ring) => {
      const points = Array.from({ length: 49 }, (_, index): Point => {
        const angle = (index / 48) * Math.PI * 2;
        const bulge = 1 + 0.16 * Math.sin(angle * 3 + phase) + 0.09 * Math.sin(angle * 5 - phase);
        const r = (0.04 + ring * 0.055) * bulge;
        return [x + r * 1.25 * Math.cos(angle), y + r * Math.sin(angle)];
      });
      return stroke(plane, points);
    }),
  );
  const ink = { fill: "none", stroke: tones.shine, "stroke-width": 1.3, opacity: 0.55 };
  return ground(canvas, tones.middle, tones.near) + path(lines.join(""), ink);
}

export function petals(canvas: Canvas): string {
  const { plane, dice, tones, width } = canvas;
  const [cx, cy, tilt] = [width * 0.5, 0.98, dice.between(-0.25, 0.25)];
  const colors = [
    tones.middle,
    tones.far,
    tones.low,
    tones.shine,
    tones.low,
    tones.far,
    tones.middle,
  ];
  const order = [0, 6, 1, 5, 2, 4, 3];
  const leaves = order.map((index) => {
    const color = colors[index] ?? tones.low;
    const angle = (index - 3) * 0.4 + tilt;
    const fill = fade(
      canvas,
      [
        [cx, cy],
        [cx + 0.8 * Math.sin(angle), cy - 0.8 * Math.cos(angle)],
      ],
      [
        [0, darker(color, 0.5)],
        [0.5, color],
        [1, lighter(color, 0.4)],
      ],
    );
    return path(area(plane, petal([cx, cy], angle)), { fill, opacity: 0.96 });
  });
  return (
    ground(canvas, mix(tones.high, "#05060a", 0.15), mix(tones.low, tones.high, 0.6)) +
    leaves.join("")
  );
}

function petal([x, y]: Point, angle: number): Point[] {
  const [length, girth] = [0.82, 0.2];
  return Array.from({ length: 73 }, (_, index): Point => {
    const around = (index / 72) * Math.PI * 2;
    const along = (length / 2) * (1 - Math.cos(around));
    const aside = girth * Math.sin(around) * (0.45 + 0.55 * (along / length));
    return [
      x + along * Math.sin(angle) + aside * Math.cos(angle),
      y - along * Math.cos(angle) + aside * Math.sin(angle),
    ];
  });
}

function ground(canvas: Canvas, top: Color, bottom: Color): string {
  const { plane, width } = canvas;
  const stops: Stop[] = [
    [0, top],
    [1, bottom],
  ];
  const fill = fade(
    canvas,
    [
      [width * 0.3, 0],
      [width * 0.6, 1],
    ],
    stops,
  );
  return path(box(plane, { x: 0, y: 0, w: width, h: 1 }), { fill });
}
