import { type Color, darker, lighter, mix } from "./color.ts";
import { path } from "./pen.ts";
import { hull, line, polygon } from "./shapes.ts";
import { type Point, type Point3, turned } from "./space.ts";
import { type Standing, shadowOf } from "./standing.ts";

/** A block on the desk: its middle is where the thing stands, turned by `angle` radians. */
interface Block {
  readonly w: number;
  readonly d: number;
  readonly from: number;
  readonly to: number;
  readonly angle: number;
}

export function drawBooks(standing: Standing): string {
  const { scenery, throws } = standing;
  const covers = [scenery.accent, scenery.second, mix(scenery.accent, scenery.second, 0.45)];
  let floor = 0;
  const stack = covers.map((color, index) => {
    const height = throws.between(2, 3);
    const block = {
      w: 21 - index * 1.6,
      d: 14.5 - index,
      from: floor,
      to: floor + height,
      angle: throws.between(-0.22, 0.22),
    };
    floor += height;
    return { block, color };
  });
  const points = stack.flatMap(({ block }) => [
    ...top(standing, block),
    ...bottom(standing, block),
  ]);
  return (
    shadowOf(standing, points) +
    stack.map((book) => bound(standing, book.block, book.color)).join("")
  );
}

export function drawNotebook(standing: Standing): string {
  const { stage, scenery, throws, x, y } = standing;
  const block = {
    w: 13,
    d: 18.5,
    from: 0,
    to: 1.2,
    angle: -Math.sign(x) * throws.between(0.1, 0.3),
  };
  const tip = (along: number, z: number): Point => {
    const [dx, dy] = turned([1.5, along, 0], block.angle + 0.35);
    return stage.room([x + dx, y + dy, z]);
  };
  const pen = { fill: "none", "stroke-linecap": "round" };
  return [
    shadowOf(standing, [...top(standing, block), ...bottom(standing, block)]),
    bound(standing, block, scenery.accent),
    path(line([tip(-6, 1.3), tip(6.5, 1.3)]), {
      ...pen,
      stroke: "#000000",
      "stroke-width": 15,
      opacity: 0.22,
    }),
    path(line([tip(-6, 1.9), tip(6.5, 1.9)]), {
      ...pen,
      stroke: darker(scenery.second, 0.1),
      "stroke-width": 12,
    }),
    path(line([tip(-5.8, 2.05), tip(6.2, 2.05)]), {
      ...pen,
      stroke: lighter(scenery.second, 0.5),
      "stroke-width": 3,
    }),
  ].join("");
}

/** The power brick with its lead, because whether it is included is what everybody asks. */
export function drawCharger(standing: Standing): string {
  const { stage, throws, x, y } = standing;
  const white = stage.look.system === "mac";
  const color: Color = white ? "#f1f0ee" : "#2b2c30";
  const block = {
    w: 6.4,
    d: white ? 6.4 : 4.4,
    from: 0,
    to: 2.3,
    angle: throws.between(-0.5, 0.5),
  };
  const side = Math.sign(x);
  const lead = Array.from({ length: 40 }, (_, index): Point => {
    const share = index / 39;
    const dx = side * (1.5 + 3.4 * Math.sin(share * 9)) * (1 - share * 0.4);
    return stage.room([x + dx, y - 3 - share * 17, 0.2]);
  });
  const wire = { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };
  return [
    shadowOf(standing, [...top(standing, block), ...bottom(standing, block)]),
    path(line(lead), { ...wire, stroke: "#05060a", "stroke-width": 13, opacity: 0.14 }),
    path(line(lead), { ...wire, stroke: darker(color, white ? 0.12 : 0.3), "stroke-width": 9 }),
    path(line(lead), { ...wire, stroke: lighter(color, white ? 0.4 : 0.14), "stroke-width": 3 }),
    solid(standing, block, {
      roof: color,
      front: darker(color, 0.14),
      side: darker(color, 0.3),
      bevel: 14,
    }),
  ].join("");
}

export function drawMouse(standing: Standing): string {
  const { stage, scenery, x, y } = standing;
  const color = stage.look.build === "gaming" ? "#25262c" : mix(scenery.second, "#f4f4f4", 0.5);
  const level = (z: number, rx: number, ry: number): Point3[] =>
    Array.from({ length: 28 }, (_, index): Point3 => {
      const angle = (index / 28) * Math.PI * 2;
      return [x + rx * Math.cos(angle), y + ry * Math.sin(angle) - z * 0.25, z];
    });
  const shape = [
    level(0.2, 2.9, 5.2),
    level(1.2, 3, 5.4),
    level(2, 2.6, 4.7),
    level(2.7, 1.6, 3.3),
  ];
  const [cx, cy] = stage.room([x + stage.light[0] * 2.2, y + 1.5, 3.4]);
  const fill = stage.pen.radial([cx, cy], 170, [
    [0, lighter(color, 0.4)],
    [0.5, color],
    [1, darker(color, 0.5)],
  ]);
  const seam = [5, 4, 3, 2, 1].map((dy): Point => stage.room([x, y + dy, 0.9 + (5.2 - dy) * 0.42]));
  return [
    shadowOf(standing, shape.flat()),
    path(polygon(hull(shape.flat().map(stage.room))), { fill }),
    path(line(seam), { fill: "none", stroke: darker(color, 0.5), "stroke-width": 2, opacity: 0.7 }),
    path(line(seam.slice(1, 3)), {
      stroke: darker(color, 0.75),
      "stroke-width": 10,
      "stroke-linecap": "round",
    }),
  ].join("");
}

/** A book: cover above and below, pages between, the spine towards the camera's left. */
function bound(standing: Standing, block: Block, color: Color): string {
  const thin = Math.min(0.3, (block.to - block.from) / 5);
  const paper: Color = "#f1ebdd";
  const cover = {
    roof: lighter(color, 0.1),
    front: darker(color, 0.08),
    side: darker(color, 0.25),
  };
  const pages = { roof: paper, front: darker(paper, 0.08), side: darker(paper, 0.2) };
  const inner = { ...block, w: block.w - 0.6, d: block.d - 0.6 };
  return [
    solid(standing, { ...block, to: block.from + thin }, cover),
    solid(standing, { ...inner, from: block.from + thin, to: block.to - thin }, pages),
    solid(standing, { ...block, from: block.to - thin }, cover),
  ].join("");
}

interface Faces {
  readonly roof: Color;
  readonly front: Color;
  readonly side: Color;
  /** How far the edges are rounded, in pixels. */
  readonly bevel?: number;
}

function solid(standing: Standing, block: Block, faces: Faces): string {
  const { room } = standing.stage;
  const upper = top(standing, block).map(room);
  const lower = bottom(standing, block).map(room);
  const [, , c, d] = upper;
  const [, , e, f] = lower;
  if (!c || !d || !e || !f) return "";
  const soft = { "stroke-width": faces.bevel ?? 2, "stroke-linejoin": "round" };
  return [
    path(polygon(hull([...upper, ...lower])), { fill: faces.side, stroke: faces.side, ...soft }),
    path(polygon([d, c, e, f]), { fill: faces.front, stroke: faces.front, ...soft }),
    path(polygon(upper), { fill: faces.roof, stroke: faces.roof, ...soft }),
  ].join("");
}

function top(standing: Standing, block: Block): Point3[] {
  return corners(standing, block, block.to);
}

function bottom(standing: Standing, block: Block): Point3[] {
  return corners(standing, block, block.from);
}

/** Back left, back right, front right, front left. */
function corners({ x, y }: Standing, { w, d, angle }: Block, z: number): Point3[] {
  const offsets: readonly Point[] = [
    [-w / 2, d / 2],
    [w / 2, d / 2],
    [w / 2, -d / 2],
    [-w / 2, -d / 2],
  ];
  return offsets.map(([dx, dy]) => {
    const [rx, ry] = turned([dx, dy, 0], angle);
    return [x + rx, y + ry, z];
  });
}
