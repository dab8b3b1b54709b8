import { useState } from "react";
import { formatShortDay } from "#web/ui/format-day.ts";
import { WeeksChart } from "./WeeksChart.tsx";

type TrendProps = {
  title: string;
  mondays: string[];
  values: number[];
  format?: (value: number) => string;
};

export function Trend({ title, mondays, values, format = inDigits }: TrendProps) {
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

function inDigits(value: number): string {
  return value.toLocaleString("en-US");
}
