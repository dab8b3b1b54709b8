/** What somebody has typed and not sent yet, kept over a reload for this tab alone: its name, and which fields. */
export type Draft<V> = {
  name: string;
  /** Named one by one, so that a password or a card never gets here. */
  fields: readonly (keyof V & string)[];
};

/** What was typed before, by field. */
export function readDraft<V>({ name, fields }: Draft<V>): Partial<V> {
  const kept = globalThis.sessionStorage?.getItem(keyOf(name));
  const values: Record<string, unknown> = kept ? JSON.parse(kept) : {};
  return Object.fromEntries(
    fields.flatMap((field) => (field in values ? [[field, values[field]]] : [])),
  ) as Partial<V>;
}

export function keepDraft<V extends object>({ name, fields }: Draft<V>, values: V): void {
  const kept = Object.fromEntries(fields.map((field) => [field, values[field]]));
  sessionStorage.setItem(keyOf(name), JSON.stringify(kept));
}

/** Once it is sent. */
export function forgetDraft(name: string): void {
  sessionStorage.removeItem(keyOf(name));
}

/** Once whoever typed is gone. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(keyOf(""))) sessionStorage.removeItem(key);
}

function keyOf(name: string): string {
  return `draft ${name}`;
}
