import type { OpenWindow, System } from "../types.ts";
import type { Canvas } from "./canvas.ts";
import { type Color, mix } from "./color.ts";
import { path } from "./pen.ts";
import { type Box, box, disc } from "./shapes.ts";

type Surface = "light" | "dark";

/** The bars that a system lays over its wallpaper. */
export function drawBars(canvas: Canvas, system: System): string {
  const { plane, width } = canvas;
  const pane = (shape: Box, fill: Color, opacity: number) =>
    path(box(plane, shape), { fill, opacity });
  const middle = width / 2;
  if (system === "mac") {
    const dock = { x: middle - 0.36, y: 0.89, w: 0.72, h: 0.085, r: 0.022 };
    return [
      pane({ x: 0, y: 0, w: width, h: 0.034 }, "#ffffff", 0.35),
      marks(canvas, [0.02, 0.06, 0.11, 0.15, 0.19, width - 0.16, width - 0.1, width - 0.05], 0.017),
      pane(dock, "#ffffff", 0.38),
      icons(canvas, { ...dock, x: dock.x + 0.018, w: 0.056 }, 9),
    ].join("");
  }
  if (system === "linux") {
    return [
      pane({ x: 0, y: 0, w: width, h: 0.034 }, "#14161c", 0.85),
      marks(canvas, [0.02, middle - 0.03, width - 0.1, width - 0.05], 0.017, "#e9ebf0"),
      pane({ x: 0, y: 0.034, w: 0.08, h: 0.966 }, "#14161c", 0.55),
      column(canvas, 7),
    ].join("");
  }
  const bar = { x: 0, y: 0.936, w: width, h: 0.064 };
  const count = system === "chrome" ? 5 : 8;
  return [
    pane(bar, system === "chrome" ? "#1b1d24" : "#f3f5f9", system === "chrome" ? 0.6 : 0.86),
    icons(canvas, { x: middle - (count * 0.055) / 2, y: 0.944, w: 0.044, h: 0.048 }, count),
    marks(canvas, [width - 0.16, width - 0.12, width - 0.07], 0.968, "#6a7078"),
  ].join("");
}

const iconColors: readonly Color[] = [
  "#3f8cff",
  "#f2f4f7",
  "#ff7a59",
  "#34c28b",
  "#ffc23d",
  "#8f6bff",
  "#2bb7d9",
  "#ef5b8c",
  "#5b6472",
];

function icons({ plane }: Canvas, first: Box, count: number): string {
  const gap = first.w * 1.36;
  return iconColors
    .slice(0, count)
    .map((fill, index) => {
      const top = first.y + (first.h - first.w) / 2;
      const tile = { x: first.x + index * gap, y: top, w: first.w, h: first.w, r: first.w * 0.26 };
      const dot = { x: tile.x + tile.w / 2, y: top + tile.w / 2, r: tile.w * 0.2 };
      const glyph = path(disc(plane, dot), {
        fill: mix(fill, index % 2 ? "#1b2030" : "#ffffff", 0.6),
      });
      return path(box(plane, tile), { fill }) + glyph;
    })
    .join("");
}

function column({ plane }: Canvas, count: number): string {
  return iconColors
    .slice(0, count)
    .map((fill, index) =>
      path(box(plane, { x: 0.016, y: 0.06 + index * 0.072, w: 0.048, h: 0.048, r: 0.012 }), {
        fill,
      }),
    )
    .join("");
}

function marks({ plane }: Canvas, places: number[], y: number, fill: Color = "#23262e"): string {
  const d = places
    .map((x) => box(plane, { x, y: y - 0.005, w: 0.025, h: 0.01, r: 0.004 }))
    .join("");
  return path(d, { fill, opacity: 0.75 });
}

/** A window on the desktop, its text too small to be read. */
export function drawWindow(canvas: Canvas, kind: OpenWindow): string {
  const { plane, width, dice } = canvas;
  const w = kind === "about" ? 0.52 : width * 0.6;
  const h = kind === "about" ? 0.58 : 0.68;
  const x = kind === "about" ? (width - w) / 2 : width * dice.between(0.14, 0.26);
  const frame = { x, y: 0.13, w, h, r: 0.018 };
  const surface: Surface = kind === "editor" ? "dark" : "light";
  const paper: Color = surface === "dark" ? "#1a1d26" : "#fbfbfc";
  const shade = { ...frame, x: x - 0.012, y: frame.y + 0.012, w: w + 0.024, h: h + 0.02, r: 0.03 };
  const content = { about: aboutPane, editor: editorPane, browser: browserPane }[kind];
  return [
    path(box(plane, shade), { fill: "#05060a", opacity: 0.22 }),
    path(box(plane, frame), { fill: paper }),
    path(box(plane, { ...frame, h: 0.048 }), { fill: surface === "dark" ? "#262a36" : "#e9eaee" }),
    ...["#ff6159", "#ffbd2e", "#28c941"].map((fill, index) =>
      path(disc(plane, { x: x + 0.026 + index * 0.026, y: 0.154, r: 0.008 }), { fill }),
    ),
    content(canvas, { ...frame, y: 0.18, h: h - 0.05 }),
  ].join("");
}

function aboutPane({ plane, tones }: Canvas, { x, y, w }: Box): string {
  const middle = x + w / 2;
  const row = (top: number, width: number, fill: Color) =>
    path(box(plane, { x: middle - width / 2, y: top, w: width, h: 0.017, r: 0.006 }), { fill });
  return [
    path(box(plane, { x: middle - 0.1, y: y + 0.05, w: 0.2, h: 0.125, r: 0.012 }), {
      fill: "#23262e",
    }),
    path(box(plane, { x: middle - 0.092, y: y + 0.058, w: 0.184, h: 0.109, r: 0.006 }), {
      fill: tones.far,
    }),
    path(box(plane, { x: middle - 0.13, y: y + 0.175, w: 0.26, h: 0.013, r: 0.006 }), {
      fill: "#aeb3bd",
    }),
    row(y + 0.23, 0.22, "#23262e"),
    ...[0.3, 0.26, 0.31, 0.24].map((width, index) =>
      row(y + 0.285 + index * 0.04, width, "#b6bac4"),
    ),
    row(y + 0.465, 0.12, "#3f8cff"),
  ].join("");
}

function editorPane({ plane, dice }: Canvas, { x, y, w, h }: Box): string {
  const inks = ["#7aa2f7", "#9ece6a", "#e0af68", "#bb9af7", "#7dcfff", "#c0caf5"] as const;
  const side = path(box(plane, { x, y, w: w * 0.17, h: h - 0.02 }), { fill: "#14161d" });
  const lines = Array.from({ length: 17 }, (_, index) => {
    const top = y + 0.03 + index * 0.034;
    let left = x + w * 0.21 + Math.floor(dice.between(0, 3.5)) * 0.03;
    return Array.from({ length: Math.floor(dice.between(1, 4.5)) }, () => {
      const width = dice.between(0.04, 0.13);
      const word = path(box(plane, { x: left, y: top, w: width, h: 0.013, r: 0.005 }), {
        fill: dice.pick(inks),
        opacity: 0.9,
      });
      left += width + 0.016;
      return word;
    }).join("");
  });
  return side + lines.join("");
}

function browserPane({ plane, dice, tones }: Canvas, { x, y, w }: Box): string {
  const bar = { x: x + 0.03, y: y + 0.02, w: w - 0.06, h: 0.034, r: 0.017 };
  const hero = { x: x + 0.03, y: y + 0.08, w: w - 0.06, h: 0.2, r: 0.012 };
  const column = (w - 0.06 - 0.04) / 3;
  const cards = [0, 1, 2].flatMap((index) => {
    const left = x + 0.03 + index * (column + 0.02);
    const text = [0.16, 0.195].map((offset) =>
      path(
        box(plane, {
          x: left,
          y: y + 0.31 + offset,
          w: column * dice.between(0.5, 0.9),
          h: 0.014,
          r: 0.005,
        }),
        {
          fill: "#b9bdc7",
        },
      ),
    );
    const fill = [tones.far, tones.middle, tones.shine][index] ?? tones.far;
    return [
      path(box(plane, { x: left, y: y + 0.31, w: column, h: 0.13, r: 0.01 }), { fill }),
      ...text,
    ];
  });
  return [
    path(box(plane, bar), { fill: "#e4e6eb" }),
    path(box(plane, hero), { fill: tones.low }),
    path(box(plane, { x: hero.x + 0.04, y: hero.y + 0.06, w: 0.24, h: 0.026, r: 0.008 }), {
      fill: "#ffffff",
    }),
    path(box(plane, { x: hero.x + 0.04, y: hero.y + 0.11, w: 0.16, h: 0.016, r: 0.006 }), {
      fill: "#ffffff",
      opacity: 0.7,
    }),
    ...cards,
  ].join("");
}
