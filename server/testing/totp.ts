import { createHmac } from "node:crypto";

/** Returns the RFC 6238 code (SHA-1) for `steps` half minutes after `at` (in milliseconds). */
export function totp(
  secret: Buffer,
  { at = Date.now(), steps = 0, digits = 6 }: { at?: number; steps?: number; digits?: number } = {},
): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(at / 30_000) + steps));
  const hash = createHmac("sha1", secret).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  const number = hash.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

export function secretIn(totpURI: string): Buffer {
  const base32 = new URL(totpURI).searchParams.get("secret") ?? "";
  const bits = [...base32]
    .map((letter) =>
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
    )
    .join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
