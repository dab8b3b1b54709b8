import { moods } from "./canvas.ts";
import { brightness, darker, lighter, mix } from "./color.ts";
import type { Keyboard } from "./layout.ts";
import { path } from "./pen.ts";
import { downwards, planeOf } from "./plane.ts";
import { type Box, box, disc, stroke } from "./shapes.ts";
import type { Stage } from "./stage.ts";

/** The small parts that make a deck believable: speakers, fingerprint reader, light of the screen. */
export function drawDeckDetails(stage: Stage, keyboard: Keyboard): string {
  return [speakers(stage, keyboard), reader(stage, keyboard), thumbNotch(stage)].join("");
}

function speakers(stage: Stage, { well }: Keyboard): string {
  const { deck, body, palette, look } = stage;
  const ink = {
    fill: "none",
    stroke: darker(palette.metal, 0.55),
    "stroke-linecap": "round",
    "stroke-dasharray": "0 6",
    "stroke-width": 2.6,
    opacity: 0.8,
  };
  const margin = well.x - 0.35;
  if (margin > 0.9) {
    const columns = Math.floor(margin / 0.26);
    const d = Array.from({ length: columns }, (_, index) => {
      const x = 0.42 + index * 0.26;
      return [x, body.width - x]
        .map((side) =>
          stroke(deck, [
            [side, well.y + 0.1],
            [side, well.y + well.h - 0.1],
          ]),
        )
        .join("");
    });
    return path(d.join(""), ink);
  }
  if (look.build === "ultrabook" || look.build === "tablet") return "";
  const rows = [0.62, 0.86].map((y) =>
    stroke(deck, [
      [body.width * 0.24, body.shelf + y],
      [body.width * 0.76, body.shelf + y],
    ]),
  );
  return path(rows.join(""), ink);
}

function reader({ deck, body, palette, look }: Stage, { well }: Keyboard): string {
  if (look.build !== "business" && look.build !== "convertible") return "";
  const spot = { x: body.width - well.x - 2.6, y: well.y + well.h + 0.9, w: 1.1, h: 1.1, r: 0.22 };
  return path(box(deck, spot), {
    fill: mix(palette.metal, "#05060a", 0.6),
    stroke: lighter(palette.metal, 0.35),
    "stroke-width": 1.1,
  });
}

/** The dip in the front edge for the thumb that opens the lid. */
function thumbNotch({ deck, body, palette, look }: Stage): string {
  if (look.build === "tablet") return "";
  const dip = { x: body.width / 2 - 2.6, y: body.depth - 0.16, w: 5.2, h: 0.2, r: 0.1 };
  return path(box(deck, dip), { fill: darker(palette.metal, 0.3) });
}

/** What the display shows tints the metal in front of it. */
export function drawScreenLight({ deck, body, look, pen, palette }: Stage): string {
  if (look.view === "rear") return "";
  const strength = brightness(palette.metal) > 0.5 ? 0.22 : 0.14;
  const { low } = moods[look.mood];
  const fill = pen.linear(...downwards(deck, body.width / 2, [body.shelf, body.shelf + 7]), [
    [0, low, strength],
    [1, low, 0],
  ]);
  const whole = { x: 0, y: body.shelf, w: body.width, h: body.depth - body.shelf, r: body.corner };
  return path(box(deck, whole), { fill });
}

/** Sockets in the side that the camera sees; the other side is never in the picture. */
export function drawPorts(stage: Stage): string {
  const { body, laptop, look, palette } = stage;
  const side = look.view === "left" ? -1 : 1;
  if (look.view === "front" || look.build === "tablet") return "";
  const wall = planeOf(laptop, {
    origin: [(side * body.width) / 2, body.depth / 2, body.back],
    right: [0, -1, 0],
    down: [0, 0, -1],
  });
  const rim = lighter(palette.metal, 0.3);
  return sockets(stage)
    .map((shape) => path(box(wall, shape), { fill: "#0b0c0f", stroke: rim, "stroke-width": 0.9 }))
    .concat(path(disc(wall, { x: body.depth * 0.52, y: 0.3, r: 0.14 }), { fill: "#0b0c0f" }))
    .join("");
}

function sockets({ body, look }: Stage): Box[] {
  const start = body.shelf + 1.8;
  if (look.build === "ultrabook") {
    return [0, 1.9].map((x) => ({ x: start + x, y: 0.16, w: 0.95, h: 0.28, r: 0.14 }));
  }
  return [
    { x: start, y: 0.22, w: 0.95, h: 0.3, r: 0.15 },
    { x: start + 1.7, y: 0.2, w: 1.5, h: 0.44, r: 0.08 },
    { x: start + 4, y: 0.2, w: 1.35, h: 0.46, r: 0.05 },
    ...(look.build === "gaming"
      ? [0, 1, 2, 3, 4, 5].map((index) => ({
          x: start + 9.5 + index * 0.62,
          y: 0.2,
          w: 0.34,
          h: 0.6,
          r: 0.1,
        }))
      : []),
  ];
}
