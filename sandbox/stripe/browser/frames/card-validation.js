/**
 * Formatting and validation of card number, expiry date and security code, with Stripe's messages.
 *
 * @typedef {{ label: string, starts: RegExp, groups: number[], cvcLength: number }} Brand
 * @typedef {{ type: "validation_error", code: string, message: string }} Problem
 */

/** @type {Brand} */
const unknown = { label: "", starts: /^/, groups: [4, 4, 4, 4], cvcLength: 3 };

/** @type {Brand[]} */
const brands = [
  { ...unknown, label: "VISA", starts: /^4/ },
  { ...unknown, label: "MC", starts: /^(5[1-5]|2[2-7])/ },
  { label: "AMEX", starts: /^3[47]/, groups: [4, 6, 5], cvcLength: 4 },
];

/** @param {string} digits */
export function brandOf(digits) {
  return brands.find(({ starts }) => starts.test(digits)) ?? unknown;
}

/** Groups the digits as printed on the card. @param {string} digits */
export function formatNumber(digits) {
  const [pattern = "", ...rest] = brandOf(digits).groups.map((length) => `(\\d{1,${length}})`);
  const groups = new RegExp(pattern + rest.map((group) => `${group}?`).join("")).exec(digits) ?? [];
  return groups.slice(1).filter(Boolean).join(" ");
}

/** `MM / YY`. @param {string} text @param {boolean} deleting */
export function formatExpiry(text, deleting) {
  const typed = text.replace(/^\s*(\d)\s*\//, "0$1").replace(/\D/g, "");
  const padded = /^[2-9]/.test(typed) ? `0${typed}` : typed;
  // Browsers also autofill four-digit years.
  const digits = padded.replace(/^(\d\d)20(\d\d)$/, "$1$2").slice(0, 4);
  if (digits.length < 2 || (digits.length === 2 && deleting)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

/** @param {string} digits @returns {Problem | undefined} */
export function validateNumber(digits) {
  const full = brandOf(digits).groups.reduce((sum, length) => sum + length);
  if (digits.length < full) return problem("incomplete_number", "Your card number is incomplete.");
  if (!passesLuhn(digits)) return problem("invalid_number", "Your card number is invalid.");
  return undefined;
}

/** @param {string} text @param {Date} now @returns {Problem | undefined} */
export function validateExpiry(text, now = new Date()) {
  const digits = text.replace(/\D/g, "");
  if (digits.length < 4) {
    return problem("incomplete_expiry", "Your card's expiration date is incomplete.");
  }
  const month = Number(digits.slice(0, 2));
  const year = 2000 + Number(digits.slice(2));
  if (month < 1 || month > 12) {
    return problem("invalid_expiry_month", "Your card's expiration month is invalid.");
  }
  if (year < now.getFullYear()) {
    return problem("invalid_expiry_year_past", "Your card's expiration year is in the past.");
  }
  if (year > now.getFullYear() + 50) {
    return problem("invalid_expiry_year", "Your card's expiration year is invalid.");
  }
  if (year === now.getFullYear() && month < now.getMonth() + 1) {
    return problem("invalid_expiry_month_past", "Your card's expiration date is in the past.");
  }
  return undefined;
}

/** @param {string} digits @param {Brand} brand @returns {Problem | undefined} */
export function validateCvc(digits, brand) {
  if (digits.length >= brand.cvcLength) return undefined;
  return problem("incomplete_cvc", "Your card's security code is incomplete.");
}

/** @param {string} digits */
function passesLuhn(digits) {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** @param {string} code @param {string} message @returns {Problem} */
function problem(code, message) {
  return { type: "validation_error", code, message };
}
