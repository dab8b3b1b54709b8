import { type Canvas, fade, glow } from "./canvas.ts";
import { type Color, darker, lighter, mix } from "./color.ts";
import { path } from "./pen.ts";
import { area, box, disc, graph } from "./shapes.ts";
import type { Point } from "./space.ts";

export function dunes(canvas: Canvas): string {
  const { dice, width } = canvas;
  const ridges = [0, 1, 2, 3, 4].map((index) => {
    const crest = 0.42 + index * 0.115;
    const [swing, length, phase] = [
      0.05 + index * 0.012,
      dice.between(0.7, 1.2),
      dice.between(0, 6),
    ];
    const top = graph(-0.05, width + 0.05, (x) => {
      const wave = Math.sin((x / width) * Math.PI * 2 * length + phase);
      return crest + swing * wave + 0.02 * Math.sin(x * 5 + phase * 2);
    });
    const color = step(canvas, index / 4);
    const fill = fade(
      canvas,
      [
        [width * 0.3, crest - 0.1],
        [width * 0.5, crest + 0.3],
      ],
      [
        [0, lighter(color, 0.2)],
        [1, darker(color, 0.2)],
      ],
    );
    return land(canvas, top, fill);
  });
  return sky(canvas) + sun(canvas, [width * dice.between(0.25, 0.75), 0.34], 0.1) + ridges.join("");
}

export function peaks(canvas: Canvas): string {
  const { dice, tones, width } = canvas;
  const ranges = [0, 1, 2, 3].flatMap((index) => {
    const foot = 0.55 + index * 0.13;
    const count = 4 + index;
    const top: Point[] = [[-0.1, foot]];
    for (let peak = 0; peak < count; peak++) {
      const x = ((peak + dice.between(0.3, 0.7)) / count) * width;
      const height = dice.between(0.1, 0.24) * (1 - index * 0.12);
      const valley = ((peak + 1) / count) * width;
      const shoulder = x + (valley - x) * dice.between(0.25, 0.5);
      top.push([x, foot - height], [shoulder, foot - height * dice.between(0.45, 0.75)]);
      top.push([valley, foot - dice.between(0, 0.05)]);
    }
    top.push([width + 0.1, foot]);
    const color = step(canvas, index / 3);
    const fill = fade(
      canvas,
      [
        [0, foot - 0.25],
        [0, foot + 0.22],
      ],
      [
        [0, darker(color, 0.12)],
        [1, mix(color, tones.low, 0.55)],
      ],
    );
    return land(canvas, top, fill);
  });
  return sky(canvas) + sun(canvas, [width * dice.between(0.2, 0.8), 0.26], 0.075) + ranges.join("");
}

export function sea(canvas: Canvas): string {
  const { plane, dice, tones, width } = canvas;
  const x = width * dice.between(0.3, 0.7);
  const water = fade(
    canvas,
    [
      [x, 0.58],
      [x, 1],
    ],
    [
      [0, mix(tones.low, tones.middle, 0.5)],
      [1, tones.near],
    ],
  );
  const glints = Array.from({ length: 16 }, (_, index) => {
    const y = 0.595 + index * 0.025;
    const w = (0.26 - Math.abs(index - 7) * 0.012) * dice.between(0.35, 1);
    const left = x - w / 2 + dice.between(-0.05, 0.05);
    return box(plane, { x: left, y, w, h: 0.006 + index * 0.0006, r: 0.004 });
  });
  return [
    sky(canvas),
    sun(canvas, [x, 0.5], 0.16),
    path(box(plane, { x: 0, y: 0.58, w: width, h: 0.42 }), { fill: water }),
    path(glints.join(""), { fill: tones.shine, opacity: 0.75 }),
  ].join("");
}

export function aurora(canvas: Canvas): string {
  const { plane, dice, tones, width } = canvas;
  const night = mix(tones.near, "#03040c", 0.72);
  const stars = Array.from({ length: 60 }, () =>
    disc(plane, {
      x: dice.between(0, width),
      y: dice.between(0, 0.8),
      r: dice.between(0.0012, 0.003),
    }),
  );
  const curtains = [tones.middle, tones.far, tones.low, tones.shine].map((color, index) =>
    curtain(canvas, color, index),
  );
  const hill = graph(-0.05, width + 0.05, (x) => 0.86 - 0.06 * Math.sin(x * 2.4 + 1));
  return [
    path(box(plane, { x: 0, y: 0, w: width, h: 1 }), {
      fill: fade(
        canvas,
        [
          [0, 0],
          [0, 1],
        ],
        [
          [0, night],
          [1, mix(tones.near, night, 0.4)],
        ],
      ),
    }),
    path(stars.join(""), { fill: "#ffffff", opacity: 0.7 }),
    ...curtains,
    land(canvas, hill, darker(night, 0.5)),
  ].join("");
}

function curtain(canvas: Canvas, color: Color, index: number): string {
  const { plane, dice, width } = canvas;
  const [phase, foot] = [dice.between(0, 6), 0.78 - index * 0.11];
  const lower = graph(-0.05, width + 0.05, (x) => foot + 0.09 * Math.sin(x * 2.6 + phase));
  const upper = lower.map(([x, y]): Point => [x + 0.08, y - 0.42 - 0.08 * Math.sin(x * 4 + phase)]);
  const fill = fade(
    canvas,
    [
      [width / 2, foot + 0.08],
      [width / 2 + 0.06, foot - 0.48],
    ],
    [
      [0, color, 0],
      [0.18, color, 0.75],
      [0.5, color, 0.28],
      [1, color, 0],
    ],
  );
  return path(area(plane, [...lower, ...upper.toReversed()]), { fill });
}

function sky(canvas: Canvas): string {
  const { plane, tones, width } = canvas;
  const fill = fade(
    canvas,
    [
      [width / 2, 0],
      [width / 2, 0.65],
    ],
    [
      [0, tones.high],
      [1, tones.low],
    ],
  );
  return path(box(plane, { x: 0, y: 0, w: width, h: 1 }), { fill });
}

function sun(canvas: Canvas, at: Point, radius: number): string {
  const [x, y] = at;
  const shine = canvas.tones.shine;
  const halo = glow(canvas, { at, radius: radius * 3 }, [
    [0, shine, 0.55],
    [1, shine, 0],
  ]);
  return (
    path(disc(canvas.plane, { x, y, r: radius * 4 }), { fill: halo }) +
    path(disc(canvas.plane, { x, y, r: radius }), { fill: shine, opacity: 0.95 })
  );
}

function land({ plane, width }: Canvas, top: readonly Point[], fill: string): string {
  return path(area(plane, [...top, [width + 0.1, 1.02], [-0.1, 1.02]]), { fill });
}

/** The colour of the ground a share of the way from far to near. */
function step({ tones }: Canvas, share: number): Color {
  return share < 0.5
    ? mix(tones.far, tones.middle, share * 2)
    : mix(tones.middle, tones.near, share * 2 - 1);
}
