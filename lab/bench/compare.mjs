/** Relative tolerance: how much lower a ratio, and how much larger a size or a time, may be. */
const tolerance = 0.15;
/** Tolerance for a Lighthouse score, in points. */
const scoreTolerance = 5;

/**
 * Prints what got worse since an earlier run: process figures, Lighthouse scores, and ratios to the
 * floor servers. These ratios barely depend on the machine. Returns the exit code.
 */
export function compareRuns(before, now) {
  const worse = [
    ...worseRatios(before.rows, now.rows),
    ...worseRatios(before.bookings, now.bookings),
    ...worseFigures(before.process, now.process),
    ...worseScores(before.lighthouse, now.lighthouse),
  ];
  for (const line of worse) console.log(line);
  if (worse.length === 0) console.log(`Nothing got worse since the run of ${before.at}.`);
  return worse.length === 0 ? 0 : 1;
}

function worseRatios(before = [], now = []) {
  const key = ({ laptops, scenario, through, connections }) =>
    `${scenario ? `${scenario} at ${laptops} laptops` : `booking through ${through}`}, ${connections} connections`;
  const ratios = new Map(before.map((row) => [key(row), row.ratio]));
  return now
    .filter((row) => row.ratio < ratios.get(key(row)) * (1 - tolerance))
    .map((row) => `Worse: ${key(row)}: ${row.ratio} of its floor, ${ratios.get(key(row))} before.`);
}

function worseScores(before = {}, now = {}) {
  return Object.entries(now)
    .filter(([page, { performance }]) => performance < before[page]?.performance - scoreTolerance)
    .map(
      ([page, { performance }]) =>
        `Worse: Lighthouse performance of ${page}: ${performance}, ${before[page].performance} before.`,
    );
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
