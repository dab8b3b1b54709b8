import { brightness, lighter } from "./color.ts";
import { type Dice, dice } from "./dice.ts";
import type { Keyboard } from "./layout.ts";
import { path } from "./pen.ts";
import type { Plane } from "./plane.ts";
import { area, box, stroke } from "./shapes.ts";
import type { Point } from "./space.ts";
import type { Stage } from "./stage.ts";

const scratches = { Excellent: 0, Good: 3, Fair: 9 } as const;

/** What the years have left on the deck: scratches, keys polished by fingers, a chipped edge. */
export function drawDeckWear(stage: Stage, keyboard: Keyboard): string {
  const { look, deck, body } = stage;
  const throws = dice(`${look.seed}/wear`);
  const palm = { x: 1, y: keyboard.well.y + keyboard.well.h + 0.6, w: body.width - 2 };
  const marks = Array.from({ length: scratches[look.condition] }, () =>
    scratch(stage, deck, [
      palm.x + throws.between(0, palm.w - 2.6),
      palm.y + throws.between(0.6, Math.max(0.8, body.depth - palm.y - 1.6)),
      throws,
    ]),
  );
  return look.condition === "Fair"
    ? [...marks, polish(stage, keyboard), chips(stage, throws)].join("")
    : marks.join("");
}

/** What the years have left on the outside of the lid. */
export function drawLidWear(stage: Stage): string {
  const { look, lid, body } = stage;
  const throws = dice(`${look.seed}/lid wear`);
  return Array.from({ length: scratches[look.condition] }, () =>
    scratch(stage, lid, [
      throws.between(1, body.width - 3.6),
      throws.between(2, body.lidHeight - 2),
      throws,
    ]),
  ).join("");
}

type Spot = readonly [x: number, y: number, throws: Dice];

function scratch({ palette }: Stage, plane: Plane, [x, y, throws]: Spot): string {
  const [length, angle] = [throws.between(0.5, 2.4), throws.between(-0.6, 0.6)];
  const bow = throws.between(-0.05, 0.05);
  const [dx, dy] = [length * Math.cos(angle), length * Math.sin(angle)];
  const run: readonly Point[] = [
    [x, y],
    [x + dx / 2 - bow * dy, y + dy / 2 + bow * dx],
    [x + dx, y + dy],
  ];
  const pale = brightness(palette.metal) < 0.6;
  return path(stroke(plane, run), {
    fill: "none",
    stroke: pale ? lighter(palette.metal, 0.7) : "#6d6f74",
    "stroke-width": throws.between(0.6, 1.3),
    "stroke-linecap": "round",
    opacity: throws.between(0.3, 0.65),
  });
}

function polish({ deck, palette }: Stage, { keys }: Keyboard): string {
  const worn = keys.filter(({ legend }) => legend !== "" && "WASDENL_".includes(legend));
  const d = worn
    .map(({ x, y, w, h }) =>
      box(deck, { x: x + w * 0.14, y: y + h * 0.16, w: w * 0.72, h: h * 0.66, r: 0.3, lift: 0.07 }),
    )
    .join("");
  return path(d, { fill: lighter(palette.key, 0.55), opacity: 0.14 });
}

/** Bare metal where the front edge has met a zip or a table. */
function chips({ deck, body, palette }: Stage, throws: Dice): string {
  const d = Array.from({ length: 5 }, () => {
    const x = throws.between(1.5, body.width - 1.5);
    const [w, h] = [throws.between(0.15, 0.6), throws.between(0.06, 0.14)];
    return area(deck, [
      [x, body.depth],
      [x + w * 0.3, body.depth - h],
      [x + w * 0.8, body.depth - h * 0.6],
      [x + w, body.depth],
    ]);
  });
  const bare = brightness(palette.metal) < 0.6 ? lighter(palette.metal, 0.65) : "#8b8d92";
  return path(d.join(""), { fill: bare, opacity: 0.85 });
}
