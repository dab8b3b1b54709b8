import { darker, lighter } from "./color.ts";
import { dice } from "./dice.ts";
import { group, path } from "./pen.ts";
import type { Plane } from "./plane.ts";
import { area, box, disc, outline } from "./shapes.ts";
import type { Point } from "./space.ts";
import type { Stage } from "./stage.ts";

/** A maker's mark that belongs to no maker: a ring that does not quite close, round a dot. */
export function drawMark(stage: Stage): string {
  const { look, lid, face, body, palette } = stage;
  if (look.view !== "rear") {
    const { screen } = body;
    const foot = screen.y + screen.h;
    const room = body.lidHeight - foot;
    if (room < 1.4) return "";
    const bar = { x: body.width / 2 - 0.75, y: foot + room / 2 - 0.06, w: 1.5, h: 0.12, r: 0.06 };
    return path(box(face, bar), { fill: "#8d939c", opacity: 0.75 });
  }
  const center = { x: body.width / 2, y: body.lidHeight * 0.48 };
  const ring = Array.from({ length: 28 }, (_, index): Point => {
    const angle = -0.9 + (index / 27) * Math.PI * 1.72;
    return [center.x + 1.35 * Math.cos(angle), center.y + 1.35 * Math.sin(angle)];
  });
  const inner = ring.map(
    ([x, y]): Point => [center.x + (x - center.x) * 0.7, center.y + (y - center.y) * 0.7],
  );
  const fill = lighter(palette.metal, 0.6);
  return group({ fill, stroke: darker(palette.metal, 0.25), "stroke-width": 0.7 }, [
    path(area(lid, [...ring, ...inner.toReversed()]), {}),
    path(disc(lid, { ...center, r: 0.36 }), {}),
  ]);
}

type Motif = (plane: Plane, at: Point, size: number) => string;

/** Stickers the last owner has left: on the lid from behind, on the palm rest from the front. */
export function drawStickers(stage: Stage): string {
  const { look, lid, deck, body } = stage;
  const throws = dice(`${look.seed}/stickers`);
  if (look.view === "rear") {
    if (!look.sticker) return "";
    const places: readonly Point[] = [
      [0.2, 0.26],
      [0.78, 0.7],
      [0.24, 0.74],
    ];
    const first = throws.pick([0, 1, 2]);
    return places
      .map(([x, y], index) => {
        const motif = motifs[(first + index) % motifs.length] ?? sunrise;
        return motif(lid, [x * body.width, y * body.lidHeight], throws.between(1.9, 2.5));
      })
      .join("");
  }
  const corner: Point = [body.width * 0.88, body.depth - 2.9];
  return [
    look.sticker ? throws.pick([sunrise, flower, bolt])(deck, corner, 1.35) : "",
    look.system === "windows" && look.build !== "tablet" && throws.chance(0.6)
      ? specSticker(stage)
      : "",
  ].join("");
}

function sunrise(plane: Plane, [x, y]: Point, size: number): string {
  const hill = Array.from({ length: 13 }, (_, index): Point => {
    const angle = (index / 12) * Math.PI;
    return [x + size * 0.86 * Math.cos(angle), y + size * 0.16 + size * 0.66 * Math.sin(angle)];
  });
  return [
    path(disc(plane, { x, y, r: size }), { fill: "#fdf6e8" }),
    path(disc(plane, { x, y, r: size * 0.88 }), { fill: "#f39a63" }),
    path(disc(plane, { x, y: y - size * 0.05, r: size * 0.42 }), { fill: "#ffe08a" }),
    path(area(plane, hill), { fill: "#2f6f6b" }),
  ].join("");
}

function flower(plane: Plane, [x, y]: Point, size: number): string {
  const petals = Array.from({ length: 6 }, (_, index) => {
    const angle = (index / 6) * Math.PI * 2;
    return disc(plane, {
      x: x + size * 0.52 * Math.cos(angle),
      y: y + size * 0.52 * Math.sin(angle),
      r: size * 0.42,
    });
  });
  return [
    path(petals.join(""), { fill: "#ffffff", stroke: "#ffffff", "stroke-width": 5 }),
    path(petals.join(""), { fill: "#e77f9b" }),
    path(disc(plane, { x, y, r: size * 0.36 }), { fill: "#ffd25e" }),
  ].join("");
}

function bolt(plane: Plane, [x, y]: Point, size: number): string {
  const zigzag: readonly Point[] = [
    [0.15, -0.75],
    [-0.5, 0.12],
    [-0.05, 0.12],
    [-0.2, 0.75],
    [0.5, -0.18],
    [0.05, -0.18],
  ];
  const badge = outline({ x: x - size, y: y - size, w: size * 2, h: size * 2, r: size * 0.55 });
  return [
    path(area(plane, badge), { fill: "#2b2f46", stroke: "#ffffff", "stroke-width": 4 }),
    path(
      area(
        plane,
        zigzag.map(([dx, dy]): Point => [x + dx * size, y + dy * size]),
      ),
      {
        fill: "#7fe3d4",
      },
    ),
  ].join("");
}

const motifs: readonly Motif[] = [sunrise, bolt, flower];

/** The maker's small foil sticker that most people never peel off. */
function specSticker({ deck, body }: Stage): string {
  const frame = { x: 1.3, y: body.depth - 2.8, w: 1.5, h: 1.7, r: 0.12 };
  const band = { ...frame, y: frame.y + 1.1, h: 0.6 };
  return (
    path(box(deck, frame), { fill: "#3f6fa8" }) +
    path(box(deck, band), { fill: "#dfe3e8" }) +
    path(box(deck, { x: 1.55, y: frame.y + 0.35, w: 1, h: 0.16 }), { fill: "#dbe7f5" })
  );
}
