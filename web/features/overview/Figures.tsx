/** A few numbers of today in one line, each under its name. */
export function Figures({ figures }: { figures: Record<string, string | number> }) {
  return (
    <dl className="mb-6 flex flex-wrap gap-x-10 gap-y-4 rounded-box bg-secondary px-6 py-4 text-secondary-content">
      {Object.entries(figures).map(([name, figure]) => (
        <div key={name}>
          <dt className="text-sm">{name}</dt>
          <dd className="font-display font-semibold text-2xl tabular-nums">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
