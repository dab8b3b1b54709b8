import { randomBytes } from "node:crypto";

export type ShortLived<T> = ReturnType<typeof shortLived<T>>;

/** Things known by a secret name for `milliseconds`; asked for after that, they are not there. */
export function shortLived<T>(milliseconds: number) {
  const kept = new Map<string, { thing: T; until: number }>();
  const find = (name: string) => {
    const found = kept.get(name);
    return found && found.until > Date.now() ? found.thing : undefined;
  };
  return {
    /** Keeps a thing and answers the name it goes by. */
    keep(thing: T): string {
      for (const [name, { until }] of kept) if (until <= Date.now()) kept.delete(name);
      const name = randomBytes(24).toString("base64url");
      kept.set(name, { thing, until: Date.now() + milliseconds });
      return name;
    },
    find,
    /** As `find`, once. */
    take(name: string): T | undefined {
      const found = find(name);
      kept.delete(name);
      return found;
    },
  };
}
