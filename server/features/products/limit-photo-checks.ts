import { TooManyRequests } from "../../errors.ts";

/**
 * Limits each member's concurrent photo checks, so that one member can't use up all downloads of
 * the image host adapter. The returned function throws `TOO_MANY_REQUESTS`.
 */
export function limitPhotoChecks(perMember: number) {
  const running = new Map<string, number>();
  return async <T>(memberId: string, check: () => Promise<T>): Promise<T> => {
    const before = running.get(memberId) ?? 0;
    if (before >= perMember) throw new TooManyRequests(30, busy);
    running.set(memberId, before + 1);
    try {
      return await check();
    } finally {
      const left = (running.get(memberId) ?? 1) - 1;
      if (left === 0) running.delete(memberId);
      else running.set(memberId, left);
    }
  };
}

const busy =
  "We're still checking the photos of other laptops you sent. Please try again in half a minute.";
