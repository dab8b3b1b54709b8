import { darker, lighter, mix } from "./color.ts";
import type { Keyboard } from "./layout.ts";
import { path } from "./pen.ts";
import { type Box, box } from "./shapes.ts";
import type { Stage } from "./stage.ts";

/** The trackpad, and above it the three buttons that belong to a pointing stick. */
export function drawTrackpad(stage: Stage, keyboard: Keyboard): string {
  const pad = padOf(stage, keyboard);
  const { deck, pen, palette } = stage;
  const fill = pen.linear(deck.at(pad.x, pad.y), deck.at(pad.x + pad.w, pad.y + pad.h), [
    [0, mix(palette.metal, palette.light, 0.2)],
    [1, darker(palette.metal, 0.12)],
  ]);
  const d = box(deck, pad);
  return [
    stage.look.pointingStick ? buttons(stage, pad) : "",
    path(box(deck, { ...pad, y: pad.y + 0.04 }), {
      fill: "none",
      stroke: lighter(palette.metal, 0.55),
      "stroke-width": 1.2,
      opacity: 0.7,
    }),
    path(d, {
      fill,
      stroke: darker(palette.metal, 0.38),
      "stroke-width": 1,
      "stroke-opacity": 0.8,
    }),
  ].join("");
}

function padOf({ body, look }: Stage, { well, middle }: Keyboard): Box {
  const wide = { ultrabook: 0.43, tablet: 0.36, gaming: 0.33, business: 0.36 };
  const share = look.build in wide ? wide[look.build as keyof typeof wide] : 0.35;
  const w = Math.min(body.width * share, 15.5);
  const top = well.y + well.h + (look.pointingStick ? 1.25 : 0.4);
  const bottom = body.depth - (look.build === "ultrabook" ? 0.45 : 0.9);
  const h = Math.min(bottom - top, w * 0.68);
  return { x: middle - w / 2, y: top, w, h, r: look.build === "ultrabook" ? 0.5 : 0.25 };
}

function buttons({ deck, palette }: Stage, pad: Box): string {
  const w = pad.w / 3;
  return [0, 1, 2]
    .map((index) => {
      const button = { x: pad.x + index * w + 0.04, y: pad.y - 0.95, w: w - 0.08, h: 0.8, r: 0.12 };
      const stripe = { x: button.x + w * 0.2, y: button.y + 0.56, w: w * 0.6, h: 0.09 };
      return (
        path(box(deck, { ...button, lift: 0.05 }), {
          fill: mix(palette.metal, palette.key, 0.5),
          stroke: darker(palette.metal, 0.5),
          "stroke-width": 1,
        }) +
        path(box(deck, { ...stripe, lift: 0.05 }), { fill: index === 1 ? "#8fa7c4" : "#c22a35" })
      );
    })
    .join("");
}
