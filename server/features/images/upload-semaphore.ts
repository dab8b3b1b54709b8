import { Overloaded, TooManyRequests } from "../../errors.ts";
import { RunningCounts } from "../../running-counts.ts";

/** `address`: the uploader's network (`networkOf`). */
type Uploader = { memberId: string; address: string };

/** The maximum numbers of concurrent uploads: in total, per IP address, and per member. */
type UploadLimits = { all: number; perAddress: number; perMember: number };

/**
 * Limits concurrent uploads. Throws `TOO_MANY_REQUESTS` at the member's or the IP address's limit,
 * and `UNAVAILABLE` at the overall limit.
 */
export function createUploadSemaphore({ all, perAddress, perMember }: UploadLimits) {
  const counts = new RunningCounts();
  return async <T>({ memberId, address }: Uploader, upload: () => Promise<T>): Promise<T> => {
    const [member, network] = [`member ${memberId}`, `address ${address}`];
    if (counts.of(member) >= perMember || counts.of(network) >= perAddress)
      throw new TooManyRequests(30);
    if (counts.of("all") >= all) throw tooManyUploads();
    const ends = ["all", member, network].map((key) => counts.begin(key));
    return await upload().finally(() => {
      for (const end of ends) end();
    });
  };
}

export function tooManyUploads(): Overloaded {
  const message = "Many people are uploading photos right now. Please try again in a few seconds.";
  return new Overloaded(message, 5);
}
