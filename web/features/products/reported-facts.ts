import type { FactName, Facts, StatedFacts } from "#contract/facts.ts";
import type { Laptop } from "#contract/laptops.ts";

/** The facts that the machine reported, as JSON so that the form's draft can store them. */
export function reportedBy({ facts, origins }: Pick<Laptop, "facts" | "origins">): string {
  const known = Object.entries(facts).filter(([name]) => origins[name as FactName] === "machine");
  return known.length === 0 ? "" : JSON.stringify(Object.fromEntries(known));
}

/** Adds facts to the previously reported facts. */
export function withReported(reported: string, facts: Facts): string {
  return JSON.stringify({ ...readReported(reported), ...facts });
}

/** Names of the facts left as the machine reported them; undefined if there are none. */
export function unchangedFacts(
  facts: StatedFacts | undefined,
  reported: string,
): FactName[] | undefined {
  const names = Object.entries(readReported(reported))
    .filter(([name, value]) => facts?.[name as FactName] === value)
    .map(([name]) => name as FactName);
  return names.length === 0 ? undefined : names;
}

function readReported(reported: string): Partial<Facts> {
  return reported === "" ? {} : JSON.parse(reported);
}
