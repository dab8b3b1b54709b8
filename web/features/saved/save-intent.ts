const key = "save-after-login";

/**
 * Remembers which laptop or search a visitor wanted to save, while they log in. It isn't in the
 * URL, because someone else's link must not save anything.
 */
export function keepSaveIntent(id: string): void {
  try {
    sessionStorage.setItem(key, id);
  } catch {
    // Without storage, they have to press the button again.
  }
}

/** Whether the visitor wanted to save this laptop or search; true only once. */
export function takeSaveIntent(id: string): boolean {
  try {
    if (sessionStorage.getItem(key) !== id) return false;
    sessionStorage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}
