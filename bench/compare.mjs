/** A ratio to the floor this much lower, or a size or time this much larger, is worse. */
const tolerance = 0.15;

/**
 * Says what got worse since another run: ratios to the floor, which hardly depend on the machine, and the figures
 * of the process. Returns the exit code.
 */
export function compareRuns(before, now) {
  const worse = [...worseCalls(before, now), ...worseFigures(before.process, now.process)];
  for (const line of worse) console.log(line);
  if (worse.length === 0) console.log(`Nothing got worse since the run of ${before.at}.`);
  return worse.length === 0 ? 0 : 1;
}

function worseCalls(before, now) {
  const key = ({ laptops, scenario, connections }) =>
    `${scenario} at ${laptops} laptops, ${connections} connections`;
  const ratios = new Map(before.rows.map((row) => [key(row), row.ratio]));
  return now.rows
    .filter((row) => row.ratio < ratios.get(key(row)) * (1 - tolerance))
    .map((row) => `Worse: ${key(row)}: ${row.ratio} of its floor, ${ratios.get(key(row))} before.`);
}

function worseFigures(before, now) {
  if (!before || !now) return [];
  const then = new Map(numbersOf(before));
  return numbersOf(now)
    .filter(([name]) => !name.includes("photosPerSecond"))
    .filter(([name, value]) => value > then.get(name) * (1 + tolerance))
    .map(([name, value]) => `Worse: ${name}: ${value}, ${then.get(name)} before.`);
}

function numbersOf(of, path = "") {
  return Object.entries(of).flatMap(([name, value]) =>
    typeof value === "object" ? numbersOf(value, `${path}${name} `) : [[`${path}${name}`, value]],
  );
}
