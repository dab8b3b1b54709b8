import { type LookupAddress, lookup } from "node:dns";
import { once } from "node:events";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { z } from "zod";
import { maxImageBytes } from "#contract/images.ts";
import { AppError } from "../../errors.ts";
import { providerTimeouts } from "../../settings/http-and-provider-timeouts.ts";
import { limitCalls, limitedFetch } from "../limit-calls.ts";
import type { Download, ImageHost } from "./port.ts";

type ImageHostSettings = {
  url: string;
  key: string;
  origins: readonly string[];
  /** Whether the host is a stand-in on this machine, with a private IP address. */
  local: boolean;
  timeoutMs?: number;
  resolve?: Resolve;
};

const maxDownloads = 30;
const maxAnswerBytes = 1_000_000;
const uploadTimeoutMs = 60_000;

/** Uses imgbb, or a host with the same API (api.imgbb.com). */
export function imageHost({ url, key, origins, ...network }: ImageHostSettings): ImageHost {
  const limit = limitCalls(maxDownloads, { service: "image-host" });
  return {
    browser: { url, key },
    origins,
    async download(address, part) {
      if (!origins.includes(address.origin)) return "refused";
      const bytes = part === "whole" ? maxImageBytes : startLength;
      return await limit(() => download(address, network, bytes)).catch(throwUnavailable);
    },
    async upload(jpeg) {
      const endpoint = `${url}/1/upload?key=${encodeURIComponent(key)}`;
      const address = await upload(endpoint, jpeg).catch(throwUnavailable);
      if (origins.includes(address.origin)) return address.href;
      throw new AppError("UNAVAILABLE", `${address.origin} is not an address of the image host.`);
    },
  };
}

type Network = Pick<ImageHostSettings, "local" | "timeoutMs" | "resolve">;

async function download(
  url: URL,
  { local, timeoutMs = providerTimeouts.imageHost, resolve }: Network,
  keep: number,
): Promise<Download> {
  if (!local && isPrivateLiteral(url)) return "refused";
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const lookup = local ? undefined : publicLookup(resolve);
  const signal = AbortSignal.timeout(timeoutMs);
  // Without an agent, every request has its own connection, whose IP address is checked.
  const request = send(url, {
    ...(lookup && { lookup }),
    signal,
    agent: false,
    headers: { accept: "image/*" },
  });
  try {
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return await readAnswer(response, keep);
  } catch (error) {
    if (error instanceof NotPublic) return "refused";
    throw error;
  } finally {
    request.destroy();
  }
}

class UnexpectedAnswer extends Error {}

function throwUnavailable(cause: unknown): never {
  const message =
    cause instanceof UnexpectedAnswer
      ? "The image host did not send the photo. Please try again in a minute; if that doesn't help, upload the photo again."
      : "The image host does not answer just now. Please try again in a minute.";
  throw Object.assign(new AppError("UNAVAILABLE", message, { img: message }), { cause });
}

/** In bytes; enough to identify an image format. */
const startLength = 16;

/** Rejects redirects, because they could lead anywhere. */
async function readAnswer(response: IncomingMessage, keep: number): Promise<Download> {
  const { statusCode = 0, headers } = response;
  if (statusCode >= 500 || statusCode === 429) throw new Error(`It answered ${statusCode}.`);
  if (statusCode !== 200) return "refused";
  const type = mediaType(headers["content-type"]);
  if (isDocument(type)) throw new UnexpectedAnswer(`It answered with ${type}.`);
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    if (size < keep) kept.push(chunk);
    size += chunk.length;
    if (size > maxImageBytes) return "too large";
  }
  return { type, bytes: Buffer.concat(kept).subarray(0, keep) };
}

const uploaded = z.object({ data: z.object({ url: z.url() }) });

async function upload(endpoint: string, jpeg: Buffer): Promise<URL> {
  const body = new FormData();
  body.append("image", new Blob([new Uint8Array(jpeg)], { type: "image/jpeg" }), "photo.jpg");
  const signal = AbortSignal.timeout(uploadTimeoutMs);
  const response = await limitedFetch(maxAnswerBytes)(endpoint, { method: "POST", body, signal });
  if (!response.ok) throw new Error(`It answered ${response.status}.`);
  return new URL(uploaded.parse(await response.json()).data.url);
}

function mediaType(header = ""): string {
  return (header.split(";")[0] ?? "").trim().toLowerCase();
}

/** Whether the type is text, HTML, JSON or XML, as in errors from the host or a network. */
function isDocument(type: string): boolean {
  return /^text\/|^application\/(.*\+)?(json|xml)$/.test(type);
}

export type Resolve = (
  hostname: string,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

const systemResolve: Resolve = (hostname, callback) => lookup(hostname, { all: true }, callback);

/** All public IPv6 addresses so far (IANA, IPv6 Global Unicast Address Assignments). */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/** Whether the address isn't private, loopback, link-local or otherwise reserved. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // Unpacks an IPv4 address inside an IPv6 address.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv6" && !parsed.match(globalUnicast)) return false;
  return parsed.range() === "unicast";
}

export class NotPublic extends Error {}

/** Fails unless all addresses are public. Returns the checked ones, to prevent DNS rebinding. */
export function publicLookup(resolve: Resolve = systemResolve): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new NotPublic(), "", 0);
      if (!addresses.every(({ address }) => isPublicAddress(address)))
        return callback(new NotPublic(`${hostname} has an address that is not public.`), "", 0);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
}

/** Whether the host is a private IP address. Node.js connects to IP addresses without `lookup`. */
export function isPrivateLiteral({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && !isPublicAddress(host);
}
