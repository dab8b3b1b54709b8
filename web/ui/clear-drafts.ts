/** The name of the cache (Cache Storage) in which forms keep chosen files. */
export const draftFiles = "draft files";

export function draftKey(name: string): string {
  return `draft ${name}`;
}

/** Deletes this tab's drafts, and the draft files of all tabs. */
export function clearDrafts(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(draftKey(""))) sessionStorage.removeItem(key);
  void globalThis.caches?.delete(draftFiles);
}
