/** A colour as `#rrggbb`. */
export type Color = `#${string}`;

/** The colour a share of the way from one to another: 0 is the first, 1 the second. */
export function mix(from: Color, to: Color, share: number): Color {
  const a = channels(from);
  const b = channels(to);
  const mixed = a.map((value, index) => value + ((b[index] ?? value) - value) * share);
  return `#${mixed.map((value) => Math.round(value).toString(16).padStart(2, "0")).join("")}`;
}

export function lighter(color: Color, share: number): Color {
  return mix(color, "#ffffff", share);
}

export function darker(color: Color, share: number): Color {
  return mix(color, "#05060a", share);
}

/** How bright a colour looks: 0 is black, 1 white. */
export function brightness(color: Color): number {
  const [red = 0, green = 0, blue = 0] = channels(color);
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255;
}

function channels(color: Color): number[] {
  return [1, 3, 5].map((start) => Number.parseInt(color.slice(start, start + 2), 16));
}
