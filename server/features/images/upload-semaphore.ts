import { Overloaded, TooManyRequests } from "../../errors.ts";

/** Who uploads: the member, and the network address (`networkOf`) they upload from. */
export type Uploader = { memberId: string; address: string };

/** How many uploads may be under way at once: in all, from one address, and from one member. */
export type UploadLimits = { all: number; perAddress: number; perMember: number };

/**
 * Limits how many uploads are received and processed at once. Refuses `TOO_MANY_REQUESTS` where the member
 * or the address has too many, `UNAVAILABLE` where everybody together has.
 */
export function createUploadSemaphore({ all, perAddress, perMember }: UploadLimits) {
  const taken = new Map<string, number>();
  const countOf = (key: string) => taken.get(key) ?? 0;
  const add = (key: string, change: number) => {
    const count = countOf(key) + change;
    if (count === 0) taken.delete(key);
    else taken.set(key, count);
  };
  return async <T>({ memberId, address }: Uploader, upload: () => Promise<T>): Promise<T> => {
    const keys = ["all", `member ${memberId}`, `address ${address}`] as const;
    const [everybody, member, network] = keys;
    if (countOf(member) >= perMember || countOf(network) >= perAddress)
      throw new TooManyRequests(30);
    if (countOf(everybody) >= all) throw tooManyUploads();
    for (const key of keys) add(key, 1);
    try {
      return await upload();
    } finally {
      for (const key of keys) add(key, -1);
    }
  };
}

export function tooManyUploads(): Overloaded {
  const message =
    "Many people are sending photos at the moment. Please try again in a few seconds.";
  return new Overloaded(message, 5);
}
