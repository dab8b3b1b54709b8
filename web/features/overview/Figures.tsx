import type { ReactNode } from "react";

/** Figures by name, in rows of three if that fills every row, otherwise in rows of four. */
export function Figures({ figures }: { figures: Record<string, ReactNode> }) {
  const columns = Object.keys(figures).length % 3 === 0 ? "sm:grid-cols-3" : "sm:grid-cols-4";
  return (
    <dl
      className={`mb-6 grid grid-cols-2 gap-x-6 gap-y-4 rounded-box bg-secondary px-5 py-4 text-secondary-content ${columns}`}
    >
      {Object.entries(figures).map(([name, figure]) => (
        <div key={name}>
          <dt className="text-sm">{name}</dt>
          <dd className="font-display font-semibold text-2xl tabular-nums">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
