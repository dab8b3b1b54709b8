import { darker, lighter, mix } from "./color.ts";
import { path } from "./pen.ts";
import { downwards } from "./plane.ts";
import { type Box, box } from "./shapes.ts";
import { type Ring, ringOn, sides } from "./solid.ts";
import type { Stage } from "./stage.ts";

/** The lower half of the laptop: its sides and the bare deck, still without keys. */
export function drawBase(stage: Stage): string {
  return sides(stage, baseRings(stage), stage.palette.metal) + deckTop(stage);
}

/** The outline of the deck as a box on its plane. */
function deckBox({ body }: Stage): Box {
  return { x: 0, y: 0, w: body.width, h: body.depth, r: body.corner };
}

/** The levels of the base from the deck down to the feet. */
export function baseRings(stage: Stage): Ring[] {
  const deck = deckBox(stage);
  const { back, front, depth } = stage.body;
  const slope = (ring: Ring, share: number): Ring =>
    ring.map(([x, y, z]) => {
      const top = front + ((back - front) * (y + depth / 2)) / depth;
      return [x, y, z - top * share];
    });
  return [
    ringOn(stage.deck, deck),
    slope(ringOn(stage.deck, deck), 0.42),
    slope(ringOn(stage.deck, deck, 0.25), 0.78),
    slope(ringOn(stage.deck, deck, 0.6), 0.9),
  ];
}

function deckTop(stage: Stage): string {
  const { deck, pen, palette, body, light } = stage;
  const d = box(deck, deckBox(stage));
  const [near, far] = light[0] < 0 ? [0, body.width] : [body.width, 0];
  const bright = deck.at(near, 0);
  const dark = deck.at(far, body.depth);
  const fill = pen.linear(bright, dark, [
    [0, mix(palette.metal, palette.light, 0.75)],
    [0.45, palette.metal],
    [1, darker(palette.metal, 0.16)],
  ]);
  const edge = pen.linear(bright, dark, [
    [0, lighter(palette.light, 0.7), 0.9],
    [0.6, palette.light, 0.7],
    [1, palette.light, 0.5],
  ]);
  return path(d, { fill, stroke: edge, "stroke-width": 1.6 }) + hingeShade(stage, d);
}

/** The lid keeps the light off the deck's back edge. */
function hingeShade({ deck, pen, body }: Stage, d: string): string {
  const middle = body.width / 2;
  const fill = pen.linear(...downwards(deck, middle, [body.shelf, body.shelf + 3.2]), [
    [0, "#05060a", 0.34],
    [1, "#05060a", 0],
  ]);
  return path(d, { fill });
}
