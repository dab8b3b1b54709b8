/** Returns each name once. For an unknown or empty name, the error lists the known names. */
export function readChoices<Name extends string>(
  option: string,
  given: string,
  known: readonly Name[],
): Name[] {
  const names = given.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !known.some((one) => one === name));
  if (unknown.length > 0)
    throw new Error(
      `--${option}: there is no ${unknown.map((name) => `"${name}"`).join(", ")}, but ${known.join(", ")}.`,
    );
  return known.filter((name) => names.includes(name));
}

/** For anything but a positive number, throws an error that names the option. */
export function readAmount(option: string, given: string): number {
  const amount = Number(given);
  if (!(amount > 0 && Number.isFinite(amount)))
    throw new Error(`--${option}: "${given}" is not a number above 0.`);
  return amount;
}
