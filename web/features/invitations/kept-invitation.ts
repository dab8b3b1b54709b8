const key = "secondlap.invitation";
const day = 24 * 3_600_000;

/** Kept for 30 days, or until the code has been accepted or found invalid. */
export function keepInvitation(code: string): void {
  write(JSON.stringify({ code, until: Date.now() + 30 * day }));
}

/** The code from a link that was opened in this browser within the last 30 days. */
export function keptInvitation(): string | undefined {
  try {
    const { code, until } = JSON.parse(localStorage.getItem(key) ?? "{}");
    return typeof code === "string" && until > Date.now() ? code : undefined;
  } catch {
    return undefined;
  }
}

export function forgetInvitation(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is off, so there is nothing to remove.
  }
}

function write(value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Storage is off or full. The member can still type the code.
  }
}
