import { drawBackdrop } from "./drawing/backdrop.ts";
import { drawBase } from "./drawing/base.ts";
import { drawDeckDetails, drawPorts, drawScreenLight } from "./drawing/details.ts";
import { drawKeyboard } from "./drawing/keyboard.ts";
import { keyboardOf } from "./drawing/layout.ts";
import { drawLid } from "./drawing/lid.ts";
import { drawMark, drawStickers } from "./drawing/marks.ts";
import { Pen } from "./drawing/pen.ts";
import { drawBehind, drawBeside } from "./drawing/props.ts";
import { drawLidBack } from "./drawing/rear.ts";
import { drawScreen } from "./drawing/screen.ts";
import { drawShadow } from "./drawing/shadow.ts";
import { type Stage, stageOf } from "./drawing/stage.ts";
import { drawTrackpad } from "./drawing/trackpad.ts";
import { drawDeckWear, drawLidWear } from "./drawing/wear.ts";
import type { LaptopLook } from "./types.ts";

/** Draws a laptop as its seller would photograph it: an SVG of 1600 × 1200, alike for alike looks. */
export function drawLaptop(look: LaptopLook): string {
  const pen = new Pen();
  const stage = stageOf(look, pen);
  return pen.sheet([
    drawBackdrop(stage),
    drawBehind(stage),
    drawShadow(stage),
    ...drawLowerHalf(stage),
    ...(look.view === "rear" ? drawUpperHalfFromBehind(stage) : drawUpperHalf(stage)),
    drawBeside(stage),
  ]);
}

function drawLowerHalf(stage: Stage): string[] {
  const keyboard = keyboardOf(stage);
  return [
    drawBase(stage),
    drawPorts(stage),
    drawScreenLight(stage),
    drawKeyboard(stage, keyboard),
    drawTrackpad(stage, keyboard),
    drawDeckDetails(stage, keyboard),
    drawDeckWear(stage, keyboard),
    stage.look.view === "rear" ? "" : drawStickers(stage),
  ];
}

function drawUpperHalf(stage: Stage): string[] {
  return [drawLid(stage), drawScreen(stage), drawMark(stage)];
}

function drawUpperHalfFromBehind(stage: Stage): string[] {
  return [drawLidBack(stage), drawMark(stage), drawStickers(stage), drawLidWear(stage)];
}
