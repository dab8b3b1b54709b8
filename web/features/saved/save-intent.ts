const key = "save-after-login";

/**
 * Remembers which laptop a visitor wanted to save, while they log in. Not in the address, because a link of
 * somebody else must not save anything.
 */
export function keepSaveIntent(id: string): void {
  try {
    sessionStorage.setItem(key, id);
  } catch {
    // Without storage they press the button once more.
  }
}

/** Whether the visitor wanted to save this laptop; true once. */
export function takeSaveIntent(id: string): boolean {
  try {
    if (sessionStorage.getItem(key) !== id) return false;
    sessionStorage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}
