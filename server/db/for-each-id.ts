const lowestId = "00000000-0000-0000-0000-000000000000";

type Step = {
  /** The next ids after this one, in their order. */
  listAfter: (id: string) => Promise<string[]>;
  work: (id: string) => Promise<void>;
};

/** Runs `work` once for each id. An error does not stop the ids after it; the first one is thrown at the end. */
export async function forEachId({ listAfter, work }: Step): Promise<void> {
  const errors: unknown[] = [];
  let ids = await listAfter(lowestId);
  for (; ids.length > 0; ids = await listAfter(ids.at(-1) ?? lowestId))
    for (const id of ids) await work(id).catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}
