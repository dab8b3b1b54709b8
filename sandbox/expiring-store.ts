import { randomBytes } from "node:crypto";

export type ExpiringStore<T> = ReturnType<typeof createExpiringStore<T>>;

/** Keeps values in memory for `ttlMs`, under random keys. */
export function createExpiringStore<T>(ttlMs: number) {
  const entries = new Map<string, { value: T; expiresAt: number }>();
  const find = (key: string) => {
    const entry = entries.get(key);
    return entry && entry.expiresAt > Date.now() ? entry.value : undefined;
  };
  return {
    add(value: T): string {
      const now = Date.now();
      for (const [key, { expiresAt }] of entries) if (expiresAt <= now) entries.delete(key);
      const key = randomBytes(24).toString("base64url");
      entries.set(key, { value, expiresAt: now + ttlMs });
      return key;
    },
    find,
    take(key: string): T | undefined {
      const value = find(key);
      entries.delete(key);
      return value;
    },
  };
}
