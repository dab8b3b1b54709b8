import type { Box } from "./shapes.ts";
import type { Stage } from "./stage.ts";

/** One key: where it lies on the deck and what is printed on it. */
export interface Key extends Box {
  readonly legend: string;
}

export interface Keyboard {
  readonly keys: readonly Key[];
  /** The recess that holds all keys. */
  readonly well: Box;
  /** The width of a letter key with its gap, in centimetres. */
  readonly pitch: number;
  /** The middle of the letter block, which the trackpad sits below. */
  readonly middle: number;
}

/** Rows from the hinge to the front; a key is its legend, then its width where that is not 1. */
const rows = [
  "- - - - - - - - - - - - - - -",
  ". 1 2 3 4 5 6 7 8 9 0 . . =2",
  "=1.5 Q W E R T Y U I O P . . .1.5",
  "=1.75 A S D F G H J K L . . =2.25",
  "=2.25 Z X C V B N M . . . =2.75",
  "= . . =1.25 _5.5 =1.25 . <",
];
const pad = ["- - - -", ". . . .", "7 8 9 .", "4 5 6 .", "1 2 3 .", "02 . ."];

const blockUnits = 15;
const padUnits = 4.25;
const topRow = 0.66;
const gap = 0.2;

/** The keys of a look's keyboard, in the deck's centimetres. */
export function keyboardOf({ body, look }: Stage): Keyboard {
  const units = blockUnits + (look.numpad ? padUnits : 0);
  const pitch = Math.min(1.9, (body.width - 1.5) / units);
  const x = (body.width - units * pitch) / 2;
  const y = body.shelf + (look.build === "tablet" ? 1.5 : 1.45);
  const block = place(rows, { x, y, pitch });
  const padLeft = x + (blockUnits + 0.25) * pitch;
  const keys = look.numpad ? [...block, ...place(pad, { x: padLeft, y, pitch })] : block;
  const h = (rows.length - 1 + topRow) * pitch;
  return {
    keys,
    pitch,
    well: { x: x - 0.12, y: y - 0.12, w: units * pitch + 0.24, h: h + 0.24, r: 0.32 },
    middle: x + (blockUnits * pitch) / 2,
  };
}

function place(
  block: readonly string[],
  { x, y, pitch }: { x: number; y: number; pitch: number },
): Key[] {
  return block.flatMap((row, index) => {
    const top = y + (index === 0 ? 0 : (index - 1 + topRow) * pitch);
    const height = (index === 0 ? topRow : 1) * pitch;
    let left = x;
    return row.split(" ").flatMap((word) => {
      const legend = word.slice(0, 1);
      const width = Number(word.slice(1) || "1") * pitch;
      const cell = { x: left, y: top, w: width, h: height };
      left += width;
      return legend === "<" ? arrows(cell, pitch) : [cap(cell, legend)];
    });
  });
}

/** Four arrow keys: full width, half height, the upper one above the middle of the lower three. */
function arrows({ x, y, h }: Box, pitch: number): Key[] {
  const half = h / 2;
  const cell = (column: number, row: number) => ({
    x: x + column * pitch,
    y: y + row * half,
    w: pitch,
    h: half,
  });
  return [cell(0, 1), cell(1, 1), cell(2, 1), cell(1, 0)].map((box) => cap(box, "-"));
}

function cap({ x, y, w, h }: Box, legend: string): Key {
  const inset = gap / 2;
  return { x: x + inset, y: y + inset, w: w - gap, h: Math.max(h - gap, 0.3), r: 0.2, legend };
}
