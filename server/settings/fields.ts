import { z } from "zod";

export const text = z.string().min(1);

export const commaSeparated = z
  .string()
  .transform((list) => list.split(",").map((one) => one.trim()));

export const flag = z.enum(["0", "1"]).transform((value) => value === "1");

export const webAddress = z.url({
  protocol: /^https?$/,
  error: "must be an address that begins with https:// or http://",
});

const aPort = "must be a port: a whole number from 0 to 65535";

/** Port 0 means any free port. */
export const port = z.coerce.number(aPort).int(aPort).min(0, aPort).max(65_535, aPort);

/** Never 0, because another program must know the port. */
export const fixedPort = port.min(1, aPort);

export const host = z.union(
  [z.ipv4(), z.hostname()],
  "must be an IPv4 address or a host name, such as 127.0.0.1",
);

export function between(min: number, max: number, unit: string) {
  const message = `must be a number of ${unit} from ${min} to ${max}`;
  return z.coerce.number(message).min(min, message).max(max, message);
}

export function wholeNumberBetween(min: number, max: number, message: string) {
  return z.coerce.number(message).int(message).min(min, message).max(max, message);
}
