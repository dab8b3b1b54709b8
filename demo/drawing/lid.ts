import { darker, mix } from "./color.ts";
import { path } from "./pen.ts";
import { downwards } from "./plane.ts";
import { type Box, box, disc } from "./shapes.ts";
import { type Ring, ringOn, sides } from "./solid.ts";
import type { Stage } from "./stage.ts";

/** The outline of the lid as a box on its face. */
function lidBox({ body }: Stage): Box {
  return { x: 0, y: 0, w: body.width, h: body.lidHeight, r: body.corner };
}

/** The levels of the lid from the display's side to the outside. */
export function lidRings(stage: Stage): Ring[] {
  const shape = lidBox(stage);
  const thick = stage.body.lidThickness;
  return [
    ringOn(stage.face, shape),
    ringOn(stage.face, { ...shape, lift: -thick * 0.65 }),
    ringOn(stage.face, { ...shape, lift: -thick }, 0.14),
  ];
}

/** The upper half of the laptop: hinge, edges and bezel, still without the picture it shows. */
export function drawLid(stage: Stage): string {
  return [
    hinge(stage),
    sides(stage, lidRings(stage), stage.palette.metal),
    bezel(stage),
    camera(stage),
  ].join("");
}

function hinge(stage: Stage): string {
  const { body, face, pen, palette, look } = stage;
  const inset = body.width * (look.build === "tablet" ? 0.02 : 0.09);
  const bar = { x: inset, y: body.lidHeight - 0.2, w: body.width - 2 * inset, h: 0.62, lift: -0.3 };
  const fill = pen.linear(...downwards(face, 0, [bar.y, bar.y + bar.h]), [
    [0, mix(palette.shade, "#101114", 0.6)],
    [0.6, mix(palette.shade, "#101114", 0.2)],
    [1, "#08090b"],
  ]);
  return path(box(face, bar), { fill });
}

function bezel(stage: Stage): string {
  const { face, pen, palette, body, light } = stage;
  const frame = lidBox(stage);
  const [near, far] = light[0] < 0 ? [0, body.width] : [body.width, 0];
  const rim = path(box(face, frame), {
    fill: mix(palette.metal, palette.light, 0.25),
    stroke: mix(palette.metal, palette.light, 0.8),
    "stroke-width": 1.2,
  });
  const glass = { x: 0.12, y: 0.12, w: frame.w - 0.24, h: frame.h - 0.24, r: body.corner - 0.1 };
  const fill = pen.linear(face.at(near, 0), face.at(far, body.lidHeight), [
    [0, mix(palette.bezel, "#ffffff", 0.1)],
    [0.5, palette.bezel],
    [1, darker(palette.bezel, 0.4)],
  ]);
  return rim + path(box(face, glass), { fill });
}

function camera({ body, face, look }: Stage): string {
  if (look.notch) return "";
  const spot = { x: body.width / 2, y: body.screen.y * 0.52 };
  return (
    path(disc(face, { ...spot, r: 0.13 }), { fill: "#1d2026" }) +
    path(disc(face, { ...spot, r: 0.065 }), { fill: "#39465e" }) +
    path(disc(face, { ...spot, x: spot.x + 0.45, r: 0.035 }), { fill: "#2c3b35" })
  );
}
