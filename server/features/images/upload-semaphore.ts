import { Overloaded, TooManyRequests } from "../../errors.ts";

/** `address`: the uploader's network (`networkOf`). */
export type Uploader = { memberId: string; address: string };

/** The maximum numbers of concurrent uploads: in total, per address, and per member. */
export type UploadLimits = { all: number; perAddress: number; perMember: number };

/**
 * Limits concurrent uploads. Throws `TOO_MANY_REQUESTS` at the limit of the member or the address,
 * and `UNAVAILABLE` at the overall limit.
 */
export function createUploadSemaphore({ all, perAddress, perMember }: UploadLimits) {
  const counts = new Map<string, number>();
  const countOf = (key: string) => counts.get(key) ?? 0;
  const add = (key: string, change: number) => {
    const count = countOf(key) + change;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  };
  return async <T>({ memberId, address }: Uploader, upload: () => Promise<T>): Promise<T> => {
    const keys = ["all", `member ${memberId}`, `address ${address}`] as const;
    const [total, member, network] = keys;
    if (countOf(member) >= perMember || countOf(network) >= perAddress)
      throw new TooManyRequests(30);
    if (countOf(total) >= all) throw tooManyUploads();
    for (const key of keys) add(key, 1);
    try {
      return await upload();
    } finally {
      for (const key of keys) add(key, -1);
    }
  };
}

export function tooManyUploads(): Overloaded {
  const message = "Many people are uploading photos right now. Please try again in a few seconds.";
  return new Overloaded(message, 5);
}
