import ipaddr from "ipaddr.js";
import { z } from "zod";
import { commaSeparated } from "./fields.ts";

const proxy = z
  .union(
    [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), z.enum(["loopback", "linklocal", "uniquelocal"])],
    "must name your proxies: addresses such as 10.0.0.5, networks such as 10.0.0.0/24, or loopback, linklocal, uniquelocal, with commas between",
  )
  .refine(
    (one) => !one.includes("/") || !isTooWide(one),
    "must not include networks of strangers: only private ones may be wider than /8, or /32 with IPv6",
  );

/** Proxies whose X-Forwarded-For is trusted (decisions/rate-limits). */
export const trustedProxies = commaSeparated.pipe(z.array(proxy));

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
