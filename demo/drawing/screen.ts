import type { Wallpaper } from "../types.ts";
import { type Canvas, moods } from "./canvas.ts";
import { drawBars, drawWindow } from "./desktop.ts";
import { dice } from "./dice.ts";
import { aurora, dunes, peaks, sea } from "./landscapes.ts";
import { arcs, contours, orbs, petals, ribbons, tiles } from "./patterns.ts";
import { group, path } from "./pen.ts";
import { within } from "./plane.ts";
import { area, box } from "./shapes.ts";
import type { Stage } from "./stage.ts";

const wallpapers: Readonly<Record<Wallpaper, (canvas: Canvas) => string>> = {
  dunes,
  ribbons,
  aurora,
  arcs,
  peaks,
  orbs,
  tiles,
  contours,
  sea,
  petals,
};

/** What the display shows, and the light that falls on its glass. */
export function drawScreen(stage: Stage): string {
  const { face, body, look, pen } = stage;
  const { screen } = body;
  const canvas: Canvas = {
    plane: within(face, [screen.x, screen.y], screen.h),
    width: screen.w / screen.h,
    pen,
    dice: dice(`${look.seed}/screen`),
    tones: moods[look.mood],
  };
  const content = [
    wallpapers[look.wallpaper](canvas),
    drawBars(canvas, look.system),
    look.window ? drawWindow(canvas, look.window) : "",
    glare(stage, canvas),
  ];
  const edge = box(face, screen);
  const seal = { fill: "none", stroke: stage.palette.bezel, "stroke-width": 2.5 };
  return group({ "clip-path": pen.clip(edge) }, content) + path(edge, seal) + notch(stage);
}

/** A soft band of window light across the glass, from the light's side. */
function glare({ light }: Stage, { plane, pen, width }: Canvas): string {
  const mirror = (x: number) => (light[0] < 0 ? x : width - x);
  const band = area(plane, [
    [mirror(0), 0],
    [mirror(width * 0.52), 0],
    [mirror(width * 0.22), 1],
    [mirror(0), 1],
  ]);
  const fill = pen.linear(plane.at(mirror(0), 0), plane.at(mirror(width * 0.5), 0.7), [
    [0, "#ffffff", 0.2],
    [1, "#ffffff", 0.03],
  ]);
  const dim = pen.linear(plane.at(mirror(width * 0.4), 0.2), plane.at(mirror(width), 1), [
    [0, "#05060a", 0],
    [1, "#05060a", 0.16],
  ]);
  const whole = box(plane, { x: 0, y: 0, w: width, h: 1 });
  return path(whole, { fill: dim }) + path(band, { fill });
}

function notch({ look, face, body, palette }: Stage): string {
  if (!look.notch) return "";
  const width = body.screen.w * 0.13;
  const shape = { x: (body.width - width) / 2, y: body.screen.y - 0.1, w: width, h: 0.72, r: 0.16 };
  return path(box(face, shape), { fill: palette.bezel });
}
