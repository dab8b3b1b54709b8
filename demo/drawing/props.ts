import type { Prop } from "../types.ts";
import { dice } from "./dice.ts";
import { drawBooks, drawCharger, drawMouse, drawNotebook } from "./flat-props.ts";
import { group } from "./pen.ts";
import { places } from "./places.ts";
import { turned } from "./space.ts";
import type { Stage } from "./stage.ts";
import type { Standing } from "./standing.ts";
import { drawMug, drawPlant } from "./tall-props.ts";

const drawers: Readonly<Record<Prop, (standing: Standing) => string>> = {
  mug: drawMug,
  plant: drawPlant,
  books: drawBooks,
  notebook: drawNotebook,
  charger: drawCharger,
  mouse: drawMouse,
};

/** How much room each thing takes on the desk, in centimetres from its middle. */
const radii: Readonly<Record<Prop, number>> = {
  mug: 4.5,
  plant: 6,
  books: 9,
  notebook: 8.5,
  charger: 4.5,
  mouse: 5,
};

type Spot = Pick<Standing, "x" | "y">;

const behind: readonly Prop[] = ["plant", "books", "mug"];

/** The things that stand behind the laptop and are painted before it. */
export function drawBehind(stage: Stage): string {
  return drawProps(stage, (prop) => behind.includes(prop));
}

/** The things that lie beside the laptop, nearer to the camera. */
export function drawBeside(stage: Stage): string {
  return drawProps(stage, (prop) => !behind.includes(prop));
}

function drawProps(stage: Stage, wanted: (prop: Prop) => boolean): string {
  const { look } = stage;
  const throws = dice(`${look.seed}/props`);
  const first = throws.chance(0.5) ? 1 : -1;
  const drawn = (look.props ?? []).map((prop, index) => {
    const y = behind.includes(prop) ? throws.between(11, 17) : throws.between(-13, -7);
    const spot = { y, x: (index % 2 === 0 ? first : -first) * throws.between(19, 21) };
    if (!wanted(prop)) return "";
    const place = clear(stage, spot, radii[prop]);
    const own = { scenery: places[look.place], throws: dice(`${look.seed}/${prop}`) };
    return drawers[prop]({ stage, ...own, ...place });
  });
  return group({}, drawn);
}

/** The nearest place farther out where a thing of this radius does not stand in the laptop. */
function clear({ body, yaw }: Pick<Stage, "body" | "yaw">, { x, y }: Spot, radius: number): Spot {
  const [along, across] = turned([x, y, 0], -yaw);
  const free =
    Math.abs(along) > body.width / 2 + radius || Math.abs(across) > body.depth / 2 + radius;
  return free ? { x, y } : clear({ body, yaw }, { x: x + Math.sign(x) * 0.5, y }, radius);
}
