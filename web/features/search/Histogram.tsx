import { formatCount } from "./format-count.ts";

export type Bar = { label: string; count: number };

/** With fewer bars or laptops than this, no histogram is shown. */
const fewest = { bars: 3, laptops: 10 };

/** Bars, drawn as one path to keep the page light. The accessible name lists every figure. */
export function Histogram({ name, bars }: { name: string; bars: Bar[] }) {
  const laptops = bars.reduce((sum, { count }) => sum + count, 0);
  if (bars.length < fewest.bars || laptops < fewest.laptops) return null;
  const highest = Math.max(...bars.map(({ count }) => count));
  const shapes = bars.map(({ count }, index) => {
    const height = Math.max(2, Math.round((100 * count) / highest));
    return `M${index * 10} 100v-${height}h9v${height}z`;
  });
  const figures = bars.map(({ label, count }) => `${label}: ${formatCount(count)}`).join(", ");
  return (
    <svg
      className="histogram"
      viewBox={`0 0 ${bars.length * 10 - 1} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${name}. ${figures}`}
    >
      <path d={shapes.join("")} />
    </svg>
  );
}
