const [width, height, left, top, bottom] = [760, 420, 60, 20, 50];
const right = 210;
const colors = [
  "#1f77b4",
  "#d62728",
  "#2ca02c",
  "#9467bd",
  "#ff7f0e",
  "#8c564b",
  "#e377c2",
  "#17becf",
  "#bcbd22",
  "#7f7f7f",
  "#393b79",
];

/** An SVG of the median time by number of laptops, with a line per call and logarithmic axes. */
export function plotCosts(rows) {
  const sizes = [...new Set(rows.map(({ laptops }) => laptops))].sort((one, other) => one - other);
  const times = rows.map(({ p50 }) => p50);
  const x = scale([sizes[0], sizes.at(-1)], [left, width - right]);
  const y = scale(
    [
      10 ** Math.floor(Math.log10(Math.min(...times))),
      10 ** Math.ceil(Math.log10(Math.max(...times))),
    ],
    [height - bottom, top],
  );
  const lines = Object.entries(Object.groupBy(rows, ({ scenario }) => scenario));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    "<title>The median time of one call against the number of laptops</title>",
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...sizes.map((size) =>
      label(x(size), height - bottom + 18, `${size.toLocaleString("en")} laptops`),
    ),
    ...y.ticks.map((time) => gridLine(y(time), `${time} ms`)),
    ...lines.map(([name, points], at) => line(name, points, { x, y, at })),
    "</svg>\n",
  ].join("\n");
}

/** A logarithmic scale with ticks at the powers of ten. */
function scale([from, to], [start, end]) {
  const span = Math.log10(to) - Math.log10(from) || 1;
  const at = (value) => start + ((Math.log10(value) - Math.log10(from)) / span) * (end - start);
  const ticks = Array.from({ length: Math.round(span) + 1 }, (_, power) =>
    Number((from * 10 ** power).toPrecision(1)),
  );
  return Object.assign(at, { ticks });
}

function line(name, points, { x, y, at }) {
  const color = colors[at % colors.length];
  const sorted = points.toSorted((one, other) => one.laptops - other.laptops);
  const path = sorted.map(({ laptops, p50 }) => `${x(laptops).toFixed(1)},${y(p50).toFixed(1)}`);
  const legend = top + 14 + at * 18;
  return `<polyline points="${path.join(" ")}" fill="none" stroke="${color}" stroke-width="2"${at >= colors.length ? ' stroke-dasharray="5 3"' : ""}/>
<line x1="${width - right + 14}" x2="${width - right + 34}" y1="${legend - 4}" y2="${legend - 4}" stroke="${color}" stroke-width="2"/>
<text x="${width - right + 40}" y="${legend}" fill="#222">${name}</text>`;
}

function gridLine(y, text) {
  return `<line x1="${left}" x2="${width - right}" y1="${y}" y2="${y}" stroke="#ddd"/>
<text x="${left - 8}" y="${y + 4}" text-anchor="end" fill="#444">${text}</text>`;
}

function label(x, y, text) {
  return `<text x="${x}" y="${y}" text-anchor="middle" fill="#444">${text}</text>`;
}
