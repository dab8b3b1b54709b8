import { darker, mix } from "./color.ts";
import { lidRings } from "./lid.ts";
import { path } from "./pen.ts";
import { box } from "./shapes.ts";
import { sides } from "./solid.ts";
import type { Stage } from "./stage.ts";

/** The lid as seen from behind: its back, which is all metal. */
export function drawLidBack(stage: Stage): string {
  const { lid, body, palette, pen, light } = stage;
  const inset = 0.14;
  const panel = {
    x: inset,
    y: inset,
    w: body.width - 2 * inset,
    h: body.lidHeight - 2 * inset,
    r: body.corner - inset / 2,
  };
  const [near, far] = light[0] < 0 ? [body.width, 0] : [0, body.width];
  const flip = stage.laptop([1, 0, 0])[0] < stage.laptop([-1, 0, 0])[0];
  const [from, to] = flip ? [far, near] : [near, far];
  const fill = pen.linear(lid.at(from, 0), lid.at(to, body.lidHeight), [
    [0, mix(palette.metal, palette.light, 0.8)],
    [0.42, palette.metal],
    [0.75, darker(palette.metal, 0.1)],
    [1, darker(palette.metal, 0.26)],
  ]);
  const edge = { stroke: mix(palette.metal, palette.light, 0.9), "stroke-width": 1.4 };
  return sides(stage, lidRings(stage), palette.metal) + path(box(lid, panel), { fill, ...edge });
}
