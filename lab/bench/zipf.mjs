/** Random numbers from 0 to 1. A seed gives the same numbers on every machine (mulberry32). */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    return mixed(state) / 2 ** 32;
  };
}

/** A number from 0 to 1 that depends only on the two arguments. */
export function hashed(one, other) {
  return mixed((Math.imul(one, 0x9e3779b1) ^ Math.imul(other + 1, 0x85ebca6b)) >>> 0) / 2 ** 32;
}

function mixed(number) {
  let value = Math.imul(number ^ (number >>> 15), number | 1);
  value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
  return (value ^ (value >>> 14)) >>> 0;
}

/**
 * Draws ranks from 0 to `count` - 1. The probability of rank r is proportional to (r + 1) **
 * -exponent. Uses rejection-inversion, whose time does not depend on `count` (Hörmann and
 * Derflinger, 1996). `exponent` must not be 1.
 */
export function zipf(count, exponent, random) {
  const power = 1 - exponent;
  const integral = (x) => x ** power / power;
  const inverse = (y) => (y * power) ** (1 / power);
  const [low, high] = [integral(1.5) - 1, integral(count + 0.5)];
  const accepted = 2 - inverse(integral(2.5) - 2 ** -exponent);
  return () => {
    while (true) {
      const y = high + random() * (low - high);
      const x = inverse(y);
      const rank = Math.min(count, Math.max(1, Math.round(x)));
      if (rank - x <= accepted || y >= integral(rank + 0.5) - rank ** -exponent) return rank - 1;
    }
  };
}
