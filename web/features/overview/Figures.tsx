import type { ReactNode } from "react";

export function Figures({ figures }: { figures: Record<string, ReactNode> }) {
  return (
    <dl className="mb-6 grid grid-cols-2 gap-x-6 gap-y-4 rounded-box bg-secondary px-5 py-4 text-secondary-content sm:grid-cols-4">
      {Object.entries(figures).map(([name, figure]) => (
        <div key={name}>
          <dt className="text-sm">{name}</dt>
          <dd className="font-display font-semibold text-2xl tabular-nums">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
