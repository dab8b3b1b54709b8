import { type LookupAddress, lookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

export type Resolve = (
  hostname: string,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

const systemResolve: Resolve = (hostname, callback) => lookup(hostname, { all: true }, callback);

/** All IPv6 addresses assigned so far (IANA, IPv6 Global Unicast Address Assignments). */
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/** False for private, loopback, link-local and otherwise reserved addresses. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // Unpacks an IPv4 address inside an IPv6 address.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv6" && !parsed.match(globalUnicast)) return false;
  return parsed.range() === "unicast";
}

export class NotPublic extends Error {}

/** Fails unless all addresses are public. Connects to those it checked: no DNS rebinding. */
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

/** Connections to IP addresses skip `lookup`. */
export function isPrivateLiteral({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && !isPublicAddress(host);
}
