import { useState } from "react";
import uPlot from "uplot";
import { formatShortDay } from "#web/ui/format-dates-and-counts.ts";
import "uplot/dist/uPlot.min.css";

type TrendProps = {
  title: string;
  mondays: string[];
  values: number[];
  format: (value: number) => string;
};

export function Trend({ title, mondays, values, format }: TrendProps) {
  const [pointed, point] = useState<number | null>(null);
  const sum = format(values.reduce((one, other) => one + other, 0));
  const [before = 0, now = 0] = values.slice(-2);
  const nameOf = (index: number) => formatShortDay(mondays[index] ?? "");
  return (
    <section
      aria-label={title}
      className="flex min-w-0 flex-col gap-1 rounded-box border border-line bg-base-100 p-5 shadow-rest"
    >
      <h3 className="font-medium font-sans text-muted text-sm">{title}</h3>
      <p className="font-display font-semibold text-3xl tabular-nums">{sum}</p>
      <p className="mb-2 text-muted text-sm tabular-nums">
        {pointed === null
          ? `${format(now)} this week, ${format(before)} last week`
          : `${format(values[pointed] ?? 0)} in the week of ${nameOf(pointed)}`}
      </p>
      {values.every((value) => value === 0) ? (
        <p className="grid h-40 place-items-center text-muted text-sm">
          Nothing in the last {values.length} weeks.
        </p>
      ) : (
        <WeeksChart
          key={`${mondays[0]} ${values}`}
          label={`${title} in each of the last ${values.length} weeks: ${values.map(format).join(", ")}`}
          values={values}
          nameOf={nameOf}
          format={format}
          onPoint={point}
        />
      )}
    </section>
  );
}

type WeeksChartProps = {
  /** For screen readers; the page also has the numbers as a table. */
  label: string;
  values: number[];
  nameOf: (index: number) => string;
  format: (value: number) => string;
  /** Called with the hovered week's index, or null when no week is hovered. */
  onPoint: (index: number | null) => void;
};

function WeeksChart({ label, ...bars }: WeeksChartProps) {
  // Later props are ignored. For new data, the parent remounts the component.
  const [draw] = useState(() => (place: HTMLDivElement) => drawBars(place, bars));
  return <div ref={draw} role="img" aria-label={label} className="h-40 min-w-0 overflow-clip" />;
}

/** Draws the chart, and redraws it when the size or theme changes. Returns the cleanup function. */
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

function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name);
}
