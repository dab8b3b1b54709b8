import type { Plane } from "./plane.ts";
import { stroke } from "./shapes.ts";
import type { Point } from "./space.ts";

/** Letters as strokes on a grid 4 wide and 6 high: "06 20 46" goes from (0,6) by (2,0) to (4,6). */
const letters: Readonly<Record<string, string>> = {
  A: "06 20 46,14 34",
  B: "33 03 06 36 45 44 33 42 41 30 00 03",
  C: "41 30 10 01 05 16 36 45",
  D: "06 00 20 42 44 26 06",
  E: "40 00 06 46,03 33",
  F: "40 00 06,03 33",
  G: "41 30 10 01 05 16 36 45 43 23",
  H: "00 06,40 46,03 43",
  I: "20 26",
  J: "30 35 26 16 05",
  K: "00 06,40 03 46",
  L: "00 06 46",
  M: "06 00 23 40 46",
  N: "06 00 46 40",
  O: "10 30 41 45 36 16 05 01 10",
  P: "06 00 30 41 42 33 03",
  Q: "10 30 41 45 36 16 05 01 10,34 46",
  R: "06 00 30 41 42 33 03,23 46",
  S: "41 30 10 01 02 13 33 44 45 36 16 05",
  T: "00 40,20 26",
  U: "00 05 16 36 45 40",
  V: "00 26 40",
  W: "00 16 22 36 40",
  X: "00 46,40 06",
  Y: "00 23 40,23 26",
  Z: "00 40 06 46",
  "0": "10 30 41 45 36 16 05 01 10",
  "1": "11 20 26",
  "2": "01 10 30 41 42 06 46",
  "3": "01 10 30 41 42 33 13,33 44 45 36 16 05",
  "4": "36 30 04 44",
  "5": "40 00 02 32 43 45 36 16 05",
  "6": "30 10 01 05 16 36 45 44 33 03",
  "7": "00 40 16",
  "8": "10 30 41 42 33 13 02 01 10,13 04 05 16 36 45 44 33",
  "9": "43 13 02 01 10 30 41 45 36 16",
  // The marks of keys that carry a word or a symbol, too small to be read in a photograph.
  "=": "03 83",
  "-": "13 33",
  ".": "23 24",
};

/** The strokes of one key's legend; `size` is the height of a letter in the plane's units. */
export function legend(plane: Plane, character: string, mark: { at: Point; size: number }): string {
  const [left, top] = mark.at;
  const unit = mark.size / 6;
  const runs = letters[character]?.split(",") ?? [];
  return runs
    .map((run) =>
      stroke(
        plane,
        run.split(" ").map(([x, y]) => [left + Number(x) * unit, top + Number(y) * unit]),
      ),
    )
    .join("");
}
