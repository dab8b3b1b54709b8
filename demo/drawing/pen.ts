import type { Color } from "./color.ts";
import type { Point } from "./space.ts";

export const pictureWidth = 1600;
export const pictureHeight = 1200;

/** A place on a gradient: where (0 to 1), what colour, how opaque (1 unless told). */
export type Stop = readonly [offset: number, color: Color, opacity?: number];

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Writes one SVG element; attributes that are undefined are left out. */
export function element(name: string, attributes: Attributes, content = ""): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? short(value) : value}"`)
    .join("");
  return content ? `<${name}${written}>${content}</${name}>` : `<${name}${written}/>`;
}

export function path(d: string, attributes: Attributes): string {
  return element("path", { d, ...attributes });
}

export function group(attributes: Attributes, content: readonly string[]): string {
  return element("g", attributes, content.join(""));
}

/** A number as short as a picture needs it: a hundredth of a pixel is nobody's business. */
export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Hands out paints and remembers their definitions until the sheet is finished. */
export class Pen {
  readonly #definitions: string[] = [];

  linear(from: Point, to: Point, stops: readonly Stop[]): string {
    const [x1, y1] = from;
    const [x2, y2] = to;
    const line = { gradientUnits: "userSpaceOnUse", x1, y1, x2, y2 };
    return this.#define("linearGradient", line, written(stops));
  }

  radial([cx, cy]: Point, r: number, stops: readonly Stop[]): string {
    const circle = { gradientUnits: "userSpaceOnUse", cx, cy, r };
    return this.#define("radialGradient", circle, written(stops));
  }

  clip(d: string): string {
    return this.#define("clipPath", {}, element("path", { d }));
  }

  /** The finished drawing: all definitions, then all strokes. */
  sheet(content: readonly string[]): string {
    const [width, height] = [pictureWidth, pictureHeight];
    const size = { width, height, viewBox: `0 0 ${width} ${height}` };
    const definitions = element("defs", {}, this.#definitions.join(""));
    return element(
      "svg",
      { xmlns: "http://www.w3.org/2000/svg", ...size },
      definitions + content.join(""),
    );
  }

  #define(name: string, attributes: Attributes, content: string): string {
    const id = `p${this.#definitions.length}`;
    this.#definitions.push(element(name, { id, ...attributes }, content));
    return `url(#${id})`;
  }
}

function written(stops: readonly Stop[]): string {
  return stops
    .map(([offset, color, opacity]) =>
      element("stop", { offset, "stop-color": color, "stop-opacity": opacity }),
    )
    .join("");
}
