/** The browser's Cache Storage where forms keep a chosen file. */
export const draftFiles = "draft files";

export function draftKey(name: string): string {
  return `draft ${name}`;
}

/** Deletes all drafts, after sign-in and on sign-out. */
export function clearDrafts(): void {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(draftKey(""))) sessionStorage.removeItem(key);
  void globalThis.caches?.delete(draftFiles);
}
