import { once } from "node:events";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { maxImageBytes } from "#contract/images.ts";
import { AppError } from "../../errors.ts";
import { providerTimeouts } from "../../settings/provider-timeouts.ts";
import { limitCalls } from "../limit-calls.ts";
import type { Download, ImageHost } from "./port.ts";
import { isPrivateLiteral, NotPublic, publicLookup, type Resolve } from "./public-addresses.ts";

export type ImageHostSettings = {
  url: string;
  key: string;
  /** The origins its photos are delivered from. */
  origins: readonly string[];
  /** Whether it is a stand-in on this machine, whose address is not public. */
  local: boolean;
  /** Of a whole download. */
  timeoutMs?: number;
  /** Looks names up; by default as the system does. */
  resolve?: Resolve;
};

const maxDownloads = 30;

/** imgbb, or a host with the same API (api.imgbb.com). */
export function imageHost({ url, key, origins, ...network }: ImageHostSettings): ImageHost {
  const limit = limitCalls(maxDownloads);
  return {
    browser: { url, key },
    origins,
    async download(address) {
      if (!origins.includes(address.origin)) return "refused";
      return await limit(() => download(address, network)).catch(throwUnavailable);
    },
  };
}

type Network = Pick<ImageHostSettings, "local" | "timeoutMs" | "resolve">;

async function download(
  url: URL,
  { local, timeoutMs = providerTimeouts.imageHost, resolve }: Network,
): Promise<Download> {
  if (!local && isPrivateLiteral(url)) return "refused";
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const lookup = local ? undefined : publicLookup(resolve);
  const signal = AbortSignal.timeout(timeoutMs);
  // Without an agent no connection is reused whose address was checked for another request.
  const request = send(url, {
    ...(lookup && { lookup }),
    signal,
    agent: false,
    headers: { accept: "image/*" },
  });
  try {
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return await readAnswer(response);
  } catch (error) {
    if (error instanceof NotPublic) return "refused";
    throw error;
  } finally {
    request.destroy();
  }
}

function throwUnavailable(cause: unknown): never {
  const message = "The image host does not answer just now. Please try again in a minute.";
  throw Object.assign(new AppError("UNAVAILABLE", message, { img: message }), { cause });
}

/** Bytes that tell the format. */
const startLength = 16;

/** Redirects are not followed: they could lead anywhere. */
async function readAnswer(response: IncomingMessage): Promise<Download> {
  const { statusCode = 0, headers } = response;
  if (statusCode >= 500 || statusCode === 429) throw new Error(`It answered ${statusCode}.`);
  if (statusCode !== 200) return "refused";
  let [start, size] = [Buffer.alloc(0), 0];
  for await (const chunk of response) {
    if (start.length < startLength) start = Buffer.concat([start, chunk]).subarray(0, startLength);
    size += chunk.length;
    if (size > maxImageBytes) return "too large";
  }
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  return { type: type.trim().toLowerCase(), start };
}
