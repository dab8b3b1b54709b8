import { sql } from "kysely";
import { readProcessor } from "#contract/cpu-names.ts";
import {
  type FactName,
  type FactOrigin,
  type Facts,
  factNames,
  type StatedFacts,
} from "#contract/facts.ts";
import type { Tx } from "../../db/database.ts";

type SentFacts = {
  facts?: StatedFacts | null | undefined;
  machineFacts?: FactName[] | null | undefined;
};

export async function insertFacts(
  tx: Tx,
  productId: string,
  { facts: stated, machineFacts }: SentFacts,
): Promise<void> {
  const facts = { ...(stated?.cpu && readProcessor(stated.cpu)), ...withoutNull(stated) };
  const known = factNames.filter((name) => facts[name] !== undefined);
  if (known.length === 0) return;
  const origins = Object.fromEntries(known.map((name) => [name, originOf(name, machineFacts)]));
  const values = Object.fromEntries(factNames.map((name) => [name, facts[name] ?? null]));
  await tx
    .insertInto("laptop_facts")
    .values({ product_id: productId, ...values, origins })
    .execute();
}

export async function replaceFacts(tx: Tx, productId: string, sent: SentFacts): Promise<void> {
  await tx.deleteFrom("laptop_facts").where("product_id", "=", productId).execute();
  await insertFacts(tx, productId, sent);
}

/** Facts derived from the processor's name have the same origin as the name. */
function originOf(name: FactName, machineFacts: FactName[] | null | undefined): FactOrigin {
  const source = name === "cpu_family" || name === "cpu_generation" ? "cpu" : name;
  return machineFacts?.includes(source) ? "machine" : "seller";
}

function withoutNull(stated: StatedFacts | null | undefined): Partial<StatedFacts> {
  return Object.fromEntries(Object.entries({ ...stated }).filter(([, value]) => value != null));
}

/** SQL: the row of the joined `laptop_facts` as JSON; null if there is none. */
export const factsColumn = sql<StatedFacts | null>`to_jsonb(laptop_facts)`.as("facts");

export const originsColumn = sql<Partial<
  Record<FactName, FactOrigin>
> | null>`laptop_facts.origins`.as("origins");

export function toFacts(row: StatedFacts | null): Facts {
  return Object.fromEntries(
    factNames.flatMap((name) => (row?.[name] == null ? [] : [[name, row[name]]])),
  );
}
