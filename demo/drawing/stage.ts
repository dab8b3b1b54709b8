import type { LaptopLook, View } from "../types.ts";
import { type Body, bodyOf } from "./body.ts";
import { type Dice, dice } from "./dice.ts";
import { type Palette, paletteOf } from "./finishes.ts";
import { type Pen, pictureHeight, pictureWidth } from "./pen.ts";
import { type Plane, planeOf } from "./plane.ts";
import { framed, type Point3, type Project, seenBy, turned, unit } from "./space.ts";

/** One laptop set up in front of the camera: what every part of the drawing works with. */
export interface Stage {
  readonly look: LaptopLook;
  readonly body: Body;
  readonly palette: Palette;
  readonly pen: Pen;
  /** From the laptop's own axes into the picture: x along the hinge, y to the back, z up. */
  readonly laptop: Project;
  /** From the room's axes into the picture; the origin is the desk under the laptop. */
  readonly room: Project;
  /** How far the laptop is turned on the desk, in radians counter-clockwise. */
  readonly yaw: number;
  /** Turns the laptop's own axes into the room's. */
  readonly turn: (point: Point3) => Point3;
  /** Towards the light, in the room's axes. */
  readonly light: Point3;
  /** The keyboard's side of the base: the hinge at the top. */
  readonly deck: Plane;
  /** The display's side of the lid: the hinge at the bottom. */
  readonly face: Plane;
  /** The outer side of the lid, as seen from behind. */
  readonly lid: Plane;
}

const yaws: Readonly<Record<View, readonly [low: number, high: number]>> = {
  front: [-5, 5],
  left: [17, 29],
  right: [-29, -17],
  rear: [150, 163],
};

/** Puts a laptop on the desk, sets the light and points the camera. */
export function stageOf(look: LaptopLook, pen: Pen): Stage {
  const body = bodyOf(look);
  const throws = dice(`${look.seed}/stage`);
  const yaw =
    radians(throws.between(...yaws[look.view])) *
    (look.view === "rear" && throws.chance(0.5) ? -1 : 1);
  const turn = (point: Point3) => turned(point, yaw);
  const room = framedRoom(body, turn, throws);
  const laptop: Project = (point) => room(turn(point));
  return {
    look,
    body,
    pen,
    palette: paletteOf(look),
    laptop,
    room,
    yaw,
    turn,
    light: unit([throws.chance(0.5) ? -0.62 : 0.62, -0.5, 1]),
    ...planes(body, laptop),
  };
}

function framedRoom(body: Body, turn: (point: Point3) => Point3, throws: Dice): Project {
  const elevation = radians(throws.between(23, 28));
  const size = 0.86 + (body.width - 26) * 0.012;
  return framed(seenBy({ distance: 128, elevation }), corners(body).map(turn), {
    center: [pictureWidth * throws.between(0.485, 0.515), pictureHeight * 0.535],
    width: pictureWidth * 0.86 * size,
    height: pictureHeight * 0.87 * size,
  });
}

function corners(body: Body): Point3[] {
  const top = lidTop(body);
  const [x, y] = [body.width / 2, body.depth / 2];
  return [top, [-top[0], top[1], top[2]], [-x, -y, 0], [x, -y, 0], [-x, y, 0], [x, y, 0]];
}

function planes(body: Body, laptop: Project): Pick<Stage, "deck" | "face" | "lid"> {
  const { width, depth, back, front } = body;
  const { right, down } = lidAxes(body);
  const [left, y, z] = lidTop(body);
  const thick = body.lidThickness;
  return {
    deck: planeOf(laptop, {
      origin: [-width / 2, depth / 2, back],
      right: [1, 0, 0],
      down: unit([0, -depth, front - back]),
    }),
    face: planeOf(laptop, { origin: [left, y, z], right, down }),
    lid: planeOf(laptop, {
      origin: [-left, y - down[2] * thick, z + down[1] * thick],
      right: [-1, 0, 0],
      down,
    }),
  };
}

function lidAxes({ opening }: Body): { right: Point3; down: Point3 } {
  return { right: [1, 0, 0], down: [0, Math.cos(opening), -Math.sin(opening)] };
}

/** The top left corner of the display's side; the lid's foot floats a hinge above the deck. */
function lidTop(body: Body): Point3 {
  const { down } = lidAxes(body);
  const foot = body.depth / 2 - body.shelf - 0.35;
  const height = body.lidHeight;
  return [-body.width / 2, foot - down[1] * height, body.back + 0.22 - down[2] * height];
}

function radians(degrees: number): number {
  return (degrees / 180) * Math.PI;
}
