import type { Finish, Keys, LaptopLook } from "../types.ts";
import { type Color, darker, lighter, mix } from "./color.ts";

/** The colours of one laptop's parts. */
export interface Palette {
  readonly metal: Color;
  readonly light: Color;
  readonly shade: Color;
  readonly key: Color;
  readonly legend: Color;
  readonly bezel: Color;
}

interface Coat {
  readonly metal: Color;
  readonly keys: "dark" | "light" | "tonal";
}

const coats: Readonly<Record<Finish, Coat>> = {
  silver: { metal: "#c9ccd1", keys: "dark" },
  "space grey": { metal: "#85888e", keys: "dark" },
  graphite: { metal: "#5a5d63", keys: "dark" },
  black: { metal: "#37393e", keys: "dark" },
  white: { metal: "#eceae6", keys: "light" },
  platinum: { metal: "#cbc8c2", keys: "tonal" },
  midnight: { metal: "#3b465f", keys: "dark" },
  champagne: { metal: "#dccfb9", keys: "dark" },
  rose: { metal: "#dfb9ae", keys: "tonal" },
  sage: { metal: "#aebaa6", keys: "tonal" },
  cobalt: { metal: "#5f7ea9", keys: "tonal" },
  crimson: { metal: "#b4454b", keys: "dark" },
  bronze: { metal: "#8a6f5c", keys: "dark" },
};

/** The colours that a look's finish and keys ask for. */
export function paletteOf({ finish, keys }: LaptopLook): Palette {
  const coat = coats[finish];
  return {
    metal: coat.metal,
    light: lighter(coat.metal, 0.42),
    shade: darker(coat.metal, 0.42),
    bezel: finish === "white" ? "#17181b" : "#0c0d10",
    ...keyColors(coat, keys ?? coat.keys),
  };
}

function keyColors({ metal }: Coat, keys: Keys): Pick<Palette, "key" | "legend"> {
  if (keys === "light") return { key: "#f3f2ef", legend: "#7d7f84" };
  if (keys === "tonal") return { key: lighter(metal, 0.16), legend: darker(metal, 0.62) };
  return { key: mix("#1b1c20", metal, 0.06), legend: "#d9dbe0" };
}
