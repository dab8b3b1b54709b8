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

export function saveDraft<V extends object>({ name, fields }: Draft<V>, values: V): void {
  const kept = Object.fromEntries(fields.map((field) => [field, values[field]]));
  sessionStorage.setItem(keyOf(name), JSON.stringify(kept));
}

/**
 * Keeps a file that was chosen with it. Its bytes lie in the browser's cache, since a session's storage takes
 * text alone: one file, the last, known to the tab it was chosen in.
 */
export async function saveDraftFile(name: string, file: File): Promise<void> {
  await clearDraftFile(name);
  const cache = await globalThis.caches?.open(files);
  const address = `/${crypto.randomUUID()}`;
  await cache?.put(address, new Response(file));
  sessionStorage.setItem(fileKeyOf(name), address);
}

/** The file that was chosen before, if the browser has it still. */
export async function readDraftFile(name: string): Promise<File | undefined> {
  const address = sessionStorage.getItem(fileKeyOf(name));
  const kept = address === null ? undefined : await globalThis.caches?.match(address);
  const bytes = await kept?.blob();
  return bytes && new File([bytes], "kept", { type: bytes.type });
}

export async function clearDraftFile(name: string): Promise<void> {
  sessionStorage.removeItem(fileKeyOf(name));
  await globalThis.caches?.delete(files);
}

/** Once it is sent. */
export function clearDraft(name: string): void {
  sessionStorage.removeItem(keyOf(name));
  if (sessionStorage.getItem(fileKeyOf(name)) !== null) void clearDraftFile(name);
}

/** Once whoever typed is gone. */
export function clearDrafts(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(keyOf(""))) sessionStorage.removeItem(key);
  void globalThis.caches?.delete(files);
}

const files = "draft files";

function keyOf(name: string): string {
  return `draft ${name}`;
}

function fileKeyOf(name: string): string {
  return `${keyOf(name)} file`;
}
