import { draftFiles, draftKey } from "./clear-drafts.ts";

/** How a form's draft is kept in sessionStorage. */
export type Draft<V> = {
  name: string;
  /** Listed explicitly, so that passwords aren't stored. */
  fields: readonly (keyof V & string)[];
  /** The server's values. A draft omits equal fields, so that it reverts no later change. */
  saved?: Partial<V>;
};

export function readDraft<V>({ name, fields }: Draft<V>): Partial<V> {
  const stored = globalThis.sessionStorage?.getItem(draftKey(name));
  const values: Record<string, unknown> = stored ? JSON.parse(stored) : {};
  return Object.fromEntries(
    fields.flatMap((field) => (field in values ? [[field, values[field]]] : [])),
  ) as Partial<V>;
}

export function saveDraft<V extends object>({ name, fields, saved }: Draft<V>, values: V): void {
  const texts = fields.filter(
    (field) => !hasFile(values[field]) && !(saved && isSame(values[field], saved[field])),
  );
  const stored = Object.fromEntries(texts.map((field) => [field, values[field]]));
  sessionStorage.setItem(draftKey(name), JSON.stringify(stored));
}

/** Whether a value has a file, which can't be stored as text. `saveDraftFile` stores it instead. */
function hasFile(value: unknown): boolean {
  return typeof value === "object" && value !== null && "file" in value;
}

/** A field without a value is undefined until shown, and then "". */
export function isSame(value: unknown, other: unknown): boolean {
  return JSON.stringify(value ?? "") === JSON.stringify(other ?? "");
}

/** Uses Cache Storage: sessionStorage holds only text. Replaces the draft's earlier file. */
export async function saveDraftFile(name: string, file: File): Promise<void> {
  await clearDraftFile(name);
  const cache = await globalThis.caches?.open(draftFiles);
  const address = `/${crypto.randomUUID()}`;
  await cache?.put(address, new Response(file));
  sessionStorage.setItem(fileKeyOf(name), address);
}

/** The saved file, if the browser still has it. */
export async function readDraftFile(name: string): Promise<File | undefined> {
  const address = sessionStorage.getItem(fileKeyOf(name));
  const stored = address === null ? undefined : await globalThis.caches?.match(address);
  const bytes = await stored?.blob();
  return bytes && new File([bytes], "photo", { type: bytes.type });
}

export async function clearDraftFile(name: string): Promise<void> {
  const address = sessionStorage.getItem(fileKeyOf(name));
  sessionStorage.removeItem(fileKeyOf(name));
  const cache = await globalThis.caches?.open(draftFiles);
  if (address !== null) await cache?.delete(address);
}

export function clearDraft(name: string): void {
  sessionStorage.removeItem(draftKey(name));
  if (sessionStorage.getItem(fileKeyOf(name)) !== null) void clearDraftFile(name);
}

function fileKeyOf(name: string): string {
  return `${draftKey(name)} file`;
}
