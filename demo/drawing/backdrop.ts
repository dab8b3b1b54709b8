import { type Color, darker, lighter, mix } from "./color.ts";
import { type Dice, dice } from "./dice.ts";
import { element, path, pictureHeight, pictureWidth } from "./pen.ts";
import { places, type Scenery } from "./places.ts";
import { type Plane, planeOf } from "./plane.ts";
import { area, graph, hull, stroke } from "./shapes.ts";
import { soft } from "./soft.ts";
import type { Point } from "./space.ts";
import type { Stage } from "./stage.ts";

/** The room behind and below the laptop: far wall and desk top, in the room's centimetres. */
interface Room {
  readonly stage: Stage;
  readonly scenery: Scenery;
  readonly throws: Dice;
  readonly wall: Plane;
  readonly desk: Plane;
}

/** Half the width of wall and desk, wide enough to leave the picture on both sides. */
const reach = 110;
const deskDepth = 65;
const wallHeight = 70;

export function drawBackdrop(stage: Stage): string {
  const throws = dice(`${stage.look.seed}/backdrop`);
  const back = throws.between(25, 34);
  const room: Room = {
    stage,
    throws,
    scenery: places[stage.look.place],
    wall: planeOf(stage.room, {
      origin: [0, back, wallHeight],
      right: [1, 0, 0],
      down: [0, 0, -1],
    }),
    desk: planeOf(stage.room, { origin: [0, back, 0], right: [1, 0, 0], down: [0, -1, 0] }),
  };
  return room.scenery.surface === "paper" ? sweep(room) : wallAndDesk(room);
}

function wallAndDesk(room: Room): string {
  const { stage, desk, wall, scenery } = room;
  const edge = stroke(desk, [
    [-reach, 0],
    [reach, 0],
  ]);
  return [
    path(sheet(wall, wallHeight), { fill: sidelight(room, scenery.wall) }),
    windowLight(room),
    wallShade(room),
    path(sheet(desk, deskDepth), { fill: sidelight(room, scenery.desk) }),
    scenery.surface === "wood" ? planks(room) : "",
    scenery.surface === "stone" ? specks(room) : "",
    path(edge, { stroke: lighter(scenery.desk, 0.35), "stroke-width": 2.5, opacity: 0.7 }),
    pool(stage, scenery),
  ].join("");
}

/** Paper that runs from the table up the wall without an edge, as in a small studio. */
function sweep({ stage, scenery, throws }: Room): string {
  const whole = { width: pictureWidth, height: pictureHeight };
  const bend = throws.between(250, 330);
  const fill = stage.pen.linear(
    [800, 0],
    [800, pictureHeight],
    [
      [0, scenery.wall],
      [bend / pictureHeight, mix(scenery.wall, scenery.desk, 0.55)],
      [(bend + 190) / pictureHeight, scenery.desk],
      [1, darker(scenery.desk, 0.1)],
    ],
  );
  return element("rect", { ...whole, fill }) + pool(stage, scenery);
}

function sheet(plane: Plane, height: number): string {
  return area(plane, [
    [-reach, 0],
    [reach, 0],
    [reach, height],
    [-reach, height],
  ]);
}

function sidelight({ stage }: Room, color: Color): string {
  const [near, far] = stage.light[0] < 0 ? [0, pictureWidth] : [pictureWidth, 0];
  return stage.pen.linear(
    [near, 100],
    [far, 700],
    [
      [0, lighter(color, 0.22)],
      [0.5, color],
      [1, darker(color, 0.15)],
    ],
  );
}

/** The brightest part of the desk, where the light falls; darkness in the corners of the lens. */
function pool({ pen, light }: Stage, { desk }: Scenery): string {
  const x = light[0] < 0 ? 520 : 1080;
  const spot = pen.radial([x, 430], 900, [
    [0, lighter(desk, 0.75), 0.42],
    [1, lighter(desk, 0.75), 0],
  ]);
  const corners = pen.radial([800, 560], 1080, [
    [0.55, darker(desk, 0.75), 0],
    [1, darker(desk, 0.75), 0.24],
  ]);
  const whole = { width: pictureWidth, height: pictureHeight };
  return element("rect", { ...whole, fill: spot }) + element("rect", { ...whole, fill: corners });
}

/** Sunlight through the panes of a window, thrown slantwise on the wall. */
function windowLight(room: Room): string {
  const { stage, wall, throws } = room;
  if (stage.look.place === "night desk") return nightGlow(room);
  if (throws.chance(0.25)) return "";
  const lean = stage.light[0] < 0 ? 0.7 : -0.7;
  const left = throws.between(-30, 4);
  const light = { fill: "#fffaf0", opacity: 0.42, spread: 9 } as const;
  const pane = ([column, row]: Point) => {
    const [x, y] = [left + column * 15, wallHeight - 44 + row * 19];
    const corner = (dx: number, dy: number): Point => [x + dx + (y + dy - 40) * lean, y + dy];
    const corners = [corner(0, 0), corner(13, 0), corner(13, 17), corner(0, 17)];
    return soft(hull(corners.map(([u, v]) => wall.at(u, v))), light);
  };
  const panes: readonly Point[] = [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ];
  return panes.map(pane).join("");
}

type Lamp = readonly [middle: Color, edge: Color];

const lamps: readonly [Lamp, ...Lamp[]] = [
  ["#8a5cf0", "#4b5bd6"],
  ["#2f9fb0", "#2a5fb8"],
  ["#c2488f", "#6a3fb0"],
  ["#d0703a", "#a13a5c"],
];

/** A lamp out of the picture that colours the wall of a dark room. */
function nightGlow({ stage, throws }: Room): string {
  const x = stage.light[0] < 0 ? 260 : 1340;
  const [lamp, edge] = throws.pick(lamps);
  const glow = stage.pen.radial([x, 240], 760, [
    [0, lamp, 0.55],
    [0.5, edge, 0.22],
    [1, edge, 0],
  ]);
  return element("rect", { width: pictureWidth, height: pictureHeight, fill: glow });
}

/** The wall darkens towards the desk. */
function wallShade({ stage, wall, scenery }: Room): string {
  const fill = stage.pen.linear(wall.at(0, wallHeight - 14), wall.at(0, wallHeight), [
    [0, darker(scenery.wall, 0.8), 0],
    [1, darker(scenery.wall, 0.8), 0.22],
  ]);
  return path(sheet(wall, wallHeight), { fill });
}

function planks({ desk, scenery, throws }: Room): string {
  const width = 13;
  return Array.from({ length: Math.ceil(deskDepth / width) }, (_, index) => {
    const top = index * width;
    const tone = throws.chance(0.5) ? lighter(scenery.desk, 0.35) : darker(scenery.desk, 0.4);
    const bottom = top + width;
    const board = path(
      area(desk, [
        [-reach, top],
        [reach, top],
        [reach, bottom],
        [-reach, bottom],
      ]),
      { fill: tone, opacity: throws.between(0.04, 0.16) },
    );
    const seam = path(
      stroke(desk, [
        [-reach, top],
        [reach, top],
      ]),
      {
        stroke: darker(scenery.desk, 0.6),
        "stroke-width": 1.6,
        opacity: 0.4,
      },
    );
    return board + grain(desk, scenery, { top, width, throws }) + seam;
  }).join("");
}

function grain(
  desk: Plane,
  scenery: Scenery,
  { top, width, throws }: { top: number; width: number; throws: Dice },
): string {
  return Array.from({ length: 11 }, () => {
    const [y, phase, swing] = [
      throws.between(0.3, width - 0.3),
      throws.between(0, 6),
      throws.between(0.1, 0.5),
    ];
    const start = throws.between(-45, 20);
    const line = graph(
      start,
      start + throws.between(25, 80),
      (x) => top + y + swing * Math.sin(x * 0.09 + phase),
    );
    const fiber = { fill: "none", stroke: darker(scenery.desk, 0.55), "stroke-linecap": "round" };
    return path(stroke(desk, line), {
      ...fiber,
      "stroke-width": throws.between(0.8, 2.6),
      opacity: throws.between(0.06, 0.2),
    });
  }).join("");
}

/** The chips of a terrazzo top. */
function specks({ desk, scenery, throws }: Room): string {
  const tones = [scenery.accent, scenery.second, "#f4f1ec", "#8d7f78", "#c5b09c"] as const;
  return Array.from({ length: 260 }, () => {
    const [x, y, r] = [throws.between(-45, 45), throws.between(0, 70), throws.between(0.15, 0.75)];
    const corners = Array.from({ length: 5 }, (_, index): Point => {
      const angle = index * 1.26 + throws.between(-0.3, 0.3);
      return [x + r * Math.cos(angle), y + r * throws.between(0.7, 1.2) * Math.sin(angle)];
    });
    return path(area(desk, corners), { fill: throws.pick(tones), opacity: 0.75 });
  }).join("");
}
