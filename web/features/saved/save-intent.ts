const key = "save-after-login";

/**
 * Remembers during login which laptop or search a visitor wanted to save. The URL doesn't contain
 * this intent, because someone else's link must not save anything.
 */
export function keepSaveIntent(id: string): void {
  try {
    sessionStorage.setItem(key, id);
  } catch {
    // Without storage, the visitor has to press the button again.
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
