import type { Place } from "../types.ts";
import type { Color } from "./color.ts";

/** What a place is made of; `accent` and `second` colour the things that stand around. */
export interface Scenery {
  readonly surface: "wood" | "plain" | "stone" | "paper";
  readonly desk: Color;
  readonly wall: Color;
  readonly accent: Color;
  readonly second: Color;
}

export const places: Readonly<Record<Place, Scenery>> = {
  "oak desk": scenery("wood", "#c79e70 #ebe4d8 #4f6d62 #e8ddcc"),
  "walnut desk": scenery("wood", "#76503a #7d8c82 #e9e1d3 #c98a5b"),
  "birch desk": scenery("wood", "#dcc5a2 #bccbd3 #d98f6c #f3efe7"),
  "white desk": scenery("plain", "#edeae5 #dcc6b8 #5f7c8a #c9785a"),
  "stone desk": scenery("stone", "#b9b6b1 #d8dad6 #39424a #d7a24f"),
  "night desk": scenery("plain", "#272833 #1c1d2a #4a4f63 #8a5cf0"),
  "sand paper": scenery("paper", "#e3cfb4 #ecdcc5 #b5694a #f7efe2"),
  "sage paper": scenery("paper", "#b4c1a7 #c6d1bb #5a6b50 #f1ead9"),
  "blush paper": scenery("paper", "#e4bcae #eed0c4 #a3564c #fbeee6"),
  "sky paper": scenery("paper", "#adc6d8 #c4d7e4 #3f6483 #f6f1e6"),
  "lilac paper": scenery("paper", "#c3b6d8 #d5cbe5 #67538c #f4ecdf"),
  "clay paper": scenery("paper", "#c98d70 #d8a58a #6f3a2c #f3e1d2"),
};

function scenery(surface: Scenery["surface"], colors: string): Scenery {
  const [desk, wall, accent, second] = colors.split(" ") as [Color, Color, Color, Color];
  return { surface, desk, wall, accent, second };
}
