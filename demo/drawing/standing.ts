import { darker } from "./color.ts";
import type { Dice } from "./dice.ts";
import type { Scenery } from "./places.ts";
import { thrown } from "./shadow.ts";
import { soft } from "./soft.ts";
import type { Point3 } from "./space.ts";
import type { Stage } from "./stage.ts";

/** A thing on the desk beside the laptop: where it stands, in the room's centimetres. */
export interface Standing {
  readonly stage: Stage;
  readonly scenery: Scenery;
  readonly throws: Dice;
  readonly x: number;
  readonly y: number;
}

/** The soft shadow that the thing with these corners throws on the desk. */
export function shadowOf({ stage, scenery }: Standing, points: readonly Point3[]): string {
  const fill = darker(scenery.desk, 0.86);
  return soft(thrown(stage, points), { fill, opacity: 0.36, spread: 20 });
}
