/** Drawn in the browser, so that no other service gets the secret. Scanners need dark on light. */
export function QrCode({ rows, label }: { rows: boolean[][]; label: string }) {
  const size = rows.length;
  const squares = rows.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto w-full max-w-56 rounded-field"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={squares.join("")} />
    </svg>
  );
}
