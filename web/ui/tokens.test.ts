import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

/** Text, background, and the text's opacity in percent. WCAG 2.2, 1.4.3 requires 4.5 to 1. */
const pairs = [
  ["base-content", "base-100", 100],
  ["base-content", "base-200", 100],
  ["base-content", "base-300", 100],
  ["muted", "base-100", 100],
  ["muted", "base-200", 100],
  ["primary", "base-100", 100],
  ["primary", "base-200", 100],
  ["primary-content", "primary", 100],
  ["secondary-content", "secondary", 100],
  ["accent-content", "accent", 100],
  ["deep-content", "deep", 90],
  ["accent", "deep", 100],
  ["sand-content", "sand", 90],
  ["secondary-content", "secondary", 90],
  ["neutral-content", "neutral", 80],
  ["accent", "neutral", 100],
  ["base-100", "base-content", 100],
  ...["info", "success", "warning", "error"].flatMap(
    (role) =>
      [
        [role, "base-100", 100],
        [role, "base-200", 100],
        [`${role}-content`, role, 100],
      ] as const,
  ),
] as const;

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
const themes = css.split('@plugin "daisyui/theme"').slice(1);

describe.each(themes.map((theme) => [/name: "([^"]+)"/.exec(theme)?.[1] ?? "", theme]))(
  "the theme %s",
  (_, theme) => {
    test.each(pairs)("text in %s is readable on %s at %i%% opacity", (text, ground, share) => {
      const below = channels(theme, ground);
      const seen = channels(theme, text).map(
        (channel, at) => (channel * share + (below[at] ?? 0) * (100 - share)) / 100,
      );
      expect(contrast(luminance(seen), luminance(below))).toBeGreaterThanOrEqual(4.5);
    });
  },
);

function contrast(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Relative luminance of sRGB channels, 0 to 1. */
function luminance(channels: number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** An OKLCH token as clipped sRGB channels, because browsers blend those. */
function channels(theme: string, token: string): number[] {
  const value = new RegExp(`--color-${token}: oklch\\(([\\d.]+)% ([\\d.]+) ([\\d.]+)\\)`).exec(
    theme,
  );
  if (!value) throw new Error(`No --color-${token} in this theme`);
  const [lightness = 0, chroma = 0, hue = 0] = value.slice(1).map(Number);
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness / 100 + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness / 100 - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness / 100 - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  return linear
    .map((channel) => Math.min(1, Math.max(0, channel)))
    .map((channel) =>
      channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055,
    );
}
