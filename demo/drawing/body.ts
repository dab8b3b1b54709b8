import type { Build, LaptopLook } from "../types.ts";
import { dice } from "./dice.ts";
import type { Box } from "./shapes.ts";

const cmPerInch = 2.54;

/** The measures of one laptop, in centimetres; `opening` is the angle of the hinge in radians. */
export interface Body {
  readonly width: number;
  readonly depth: number;
  /** Height of the deck above the desk at the hinge and at the front edge. */
  readonly back: number;
  readonly front: number;
  readonly corner: number;
  readonly lidHeight: number;
  readonly lidThickness: number;
  readonly opening: number;
  /** How far the hinge stands in front of the back edge. */
  readonly shelf: number;
  /** The display on the lid's face. */
  readonly screen: Box;
}

interface Proportions {
  readonly back: number;
  readonly front: number;
  readonly corner: number;
  readonly side: number;
  readonly top: number;
  readonly chin: number;
  readonly lid: number;
  readonly shelf: number;
  readonly degrees: number;
}

const proportions: Readonly<Record<Build, Proportions>> = {
  ultrabook: proportion([1.35, 1, 1.1], [0.55, 0.75, 1.1], [0.42, 0, 109]),
  business: proportion([1.8, 1.6, 0.7], [0.8, 1, 1.9], [0.6, 0, 112]),
  classic: proportion([2.2, 1.9, 1], [1, 1.3, 2.2], [0.7, 0, 110]),
  gaming: proportion([2.4, 2.1, 0.8], [0.7, 0.9, 2.4], [0.75, 2.2, 106]),
  convertible: proportion([1.5, 1.35, 1.2], [0.7, 0.9, 1.7], [0.5, 0, 124]),
  chromebook: proportion([1.9, 1.7, 1.5], [1.2, 1.5, 2.3], [0.7, 0, 112]),
  tablet: proportion([0.6, 0.5, 0.9], [0.9, 0.95, 1], [0.85, 0, 114]),
};

function proportion(
  [back, front, corner]: readonly [number, number, number],
  [side, top, chin]: readonly [number, number, number],
  [lid, shelf, degrees]: readonly [number, number, number],
): Proportions {
  return { back, front, corner, side, top, chin, lid, shelf, degrees };
}

/** The measures that a look's build, screen size and shape lead to. */
export function bodyOf({ build, screen_in, ratio, seed }: LaptopLook): Body {
  const shape = proportions[build];
  const [across = 16, down = 10] = ratio.split(":").map(Number);
  const diagonal = Math.hypot(across, down);
  const w = (screen_in * cmPerInch * across) / diagonal;
  const h = (screen_in * cmPerInch * down) / diagonal;
  const lidHeight = h + shape.top + shape.chin;
  return {
    ...shape,
    width: w + 2 * shape.side,
    depth: Math.max(lidHeight, 19.4) + shape.shelf + 0.3,
    lidHeight,
    lidThickness: shape.lid,
    opening: ((shape.degrees + dice(`${seed}/hinge`).between(-4, 4)) / 180) * Math.PI,
    screen: { x: shape.side, y: shape.top, w, h, r: build === "ultrabook" ? 0.35 : 0.12 },
  };
}
