import { useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

type WeeksChartProps = {
  /** For screen readers; the page also has the numbers as a table. */
  label: string;
  values: number[];
  /** A week's label, by the week's index. */
  nameOf: (index: number) => string;
  format: (value: number) => string;
  /** Called with the hovered week's index, or null when no week is hovered. */
  onPoint: (index: number | null) => void;
};

export function WeeksChart({ label, ...bars }: WeeksChartProps) {
  // The chart is drawn only once. For new data, the parent remounts the component.
  const [draw] = useState(() => (place: HTMLDivElement) => drawBars(place, bars));
  return <div ref={draw} role="img" aria-label={label} className="h-40 min-w-0 overflow-clip" />;
}

/** Redraws when the size or the theme changes. Returns the cleanup function. */
function drawBars(place: HTMLDivElement, bars: Omit<WeeksChartProps, "label">): () => void {
  const size = () => ({ width: place.clientWidth, height: place.clientHeight });
  const weeks = bars.values.map((_, index) => index);
  const plot = new uPlot({ ...options(bars), ...size() }, [weeks, bars.values], place);
  const resized = new ResizeObserver(() => plot.setSize(size()));
  resized.observe(place);
  const night = matchMedia("(prefers-color-scheme: dark)");
  const redraw = () => plot.redraw();
  night.addEventListener("change", redraw);
  return () => {
    night.removeEventListener("change", redraw);
    resized.disconnect();
    plot.destroy();
  };
}

function options({ values, nameOf, format, onPoint }: Omit<WeeksChartProps, "label">) {
  const axis = {
    stroke: () => token("--color-muted"),
    font: `12px ${token("--font-sans")}`,
    ticks: { show: false },
  };
  const { bars } = uPlot.paths;
  const last = values.length - 1;
  const highest = Math.max(...values);
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: [-0.6, last + 0.6] },
      y: { range: [0, highest * 1.1] },
    },
    series: [
      {},
      {
        width: 0,
        fill: () => token("--color-primary"),
        points: { show: false },
        ...(bars && { paths: bars({ size: [0.72], radius: 0.2 }) }),
      },
    ],
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        splits: () => [0, Math.round(last / 2), last],
        values: (_, places) => places.map(nameOf),
      },
      {
        ...axis,
        grid: { stroke: () => token("--color-line"), width: 1 },
        size: (_, labels) => 14 + 7 * Math.max(1, ...(labels ?? []).map(({ length }) => length)),
        // The axis shows whole numbers only.
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7],
        values: (_, amounts) => amounts.map(format),
      },
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => onPoint(idx ?? null)] },
  } satisfies Omit<uPlot.Options, "width" | "height">;
}

/** A design token's value in the current theme. */
function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name);
}
