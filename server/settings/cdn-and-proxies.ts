import ipaddr from "ipaddr.js";
import { z } from "zod";
import { text, webAddress, wholeNumberBetween } from "./fields.ts";

const aTime = "must be a number of seconds: a whole number from 1 to 86400";

/** Settings for a CDN in front of the public pages (decisions/cdn). */
export const cdnFields = {
  CDN_SECONDS: wholeNumberBetween(1, 86_400, aTime).optional(),
  CDN_PURGE_URL: webAddress.optional(),
  CDN_PURGE_METHOD: z.enum(["PURGE", "POST"]).default("PURGE"),
  CDN_PURGE_TOKEN: text.optional(),
};

type CdnFields = z.output<z.ZodObject<typeof cdnFields>>;

/** Without purges, visitors may see responses this many seconds out of date. */
const maxUnpurgedSeconds = 10;

export function cdnProblems({ CDN_SECONDS, CDN_PURGE_URL }: CdnFields): string[] {
  if (CDN_PURGE_URL !== undefined && CDN_SECONDS === undefined)
    return ["CDN_SECONDS must be set with CDN_PURGE_URL: how long the CDN may keep an answer."];
  if (CDN_SECONDS !== undefined && CDN_SECONDS > maxUnpurgedSeconds && !CDN_PURGE_URL)
    return [
      `CDN_PURGE_URL must be set if CDN_SECONDS is above ${maxUnpurgedSeconds}: otherwise sold laptops are shown for so long.`,
    ];
  return [];
}

export function cdnSettings(set: CdnFields) {
  if (set.CDN_SECONDS === undefined) return undefined;
  const { CDN_PURGE_URL: url, CDN_PURGE_METHOD: method, CDN_PURGE_TOKEN: token } = set;
  return {
    seconds: set.CDN_SECONDS,
    purge: url === undefined ? undefined : { url, method, token },
  };
}

/** Proxies whose X-Forwarded-For is trusted (decisions/rate-limits). */
export const trustedProxies = z
  .string()
  .transform((list) => list.split(",").map((one) => one.trim()))
  .pipe(
    z.array(
      z
        .union(
          [
            z.ipv4(),
            z.ipv6(),
            z.cidrv4(),
            z.cidrv6(),
            z.enum(["loopback", "linklocal", "uniquelocal"]),
          ],
          "must name your proxies: addresses such as 10.0.0.5, networks such as 10.0.0.0/24, or loopback, linklocal, uniquelocal, with commas between",
        )
        .refine(
          (one) => !one.includes("/") || !isTooWide(one),
          "must not include networks of strangers: only private ones may be wider than /8, or /32 with IPv6",
        ),
    ),
  );

type Network = ReturnType<typeof ipaddr.parseCIDR>;

const privateNetworks = ["fc00::/7", "fe80::/10"].map((network) => ipaddr.parseCIDR(network));
/** IPv4-mapped IPv6 addresses. IPv4 needs no exception: no private network is wider than /8. */
const ipv4 = ipaddr.parseCIDR("::ffff:0:0/96");
const minIpv4Bits = 96 + 8;
const minIpv6Bits = 32;

function isTooWide(text: string): boolean {
  const network = asIpv6(ipaddr.parseCIDR(text));
  if (isWithin(network, ipv4)) return network[1] < minIpv4Bits;
  if (isWithin(ipv4, network)) return true;
  const isPrivate = privateNetworks.some((one) => isWithin(network, one));
  return network[1] < minIpv6Bits && !isPrivate;
}

function asIpv6([address, bits]: Network): Network {
  if (!(address instanceof ipaddr.IPv4)) return [address, bits];
  return [address.toIPv4MappedAddress(), 96 + bits];
}

function isWithin([address, bits]: Network, [outer, outerBits]: Network): boolean {
  return bits >= outerBits && address.match(outer, outerBits);
}
