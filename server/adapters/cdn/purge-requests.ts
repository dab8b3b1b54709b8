import type { Purge } from "../../public-cache/purge-cdn.ts";
import { limitedFetch, measureCall } from "../limit-calls.ts";

type PurgeSettings = {
  url: string;
  /** `PURGE` for Varnish (deploy/varnish/secondlap.vcl), `POST` for Fastly's API. */
  method: "PURGE" | "POST";
  token: string | undefined;
};

const timeoutMs = 5_000;

export function purgeRequests({ url, method, token }: PurgeSettings): Purge {
  const fetchAnswer = limitedFetch(100_000);
  return async (tags) =>
    await measureCall({ service: "cdn" }, async () => {
      const headers = {
        "surrogate-key": tags.join(" "),
        ...(token !== undefined && { "fastly-key": token }),
      };
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await fetchAnswer(url, { method, headers, signal, redirect: "error" });
      await answer.body?.cancel();
      if (!answer.ok) throw new Error(`The CDN answered ${answer.status} to a purge.`);
    });
}
