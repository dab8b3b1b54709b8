import { generateKeyPairSync, sign } from "node:crypto";

/** Self-signed for `localhost`, and valid for `days` from now. */
export function createCertificate(days: number): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid("2a8648ce3d040302"));
  const name = sequence(tlv(0x31, sequence(oid("550403"), tlv(0x0c, Buffer.from("localhost")))));
  const alternative = sequence(tlv(0x82, Buffer.from("localhost")));
  const body = sequence(
    ...[tlv(0xa0, integer(2)), integer(1), algorithm, name],
    sequence(time(-1), time(days)),
    ...[name, publicKey.export({ type: "spki", format: "der" })],
    tlv(0xa3, sequence(sequence(oid("551d11"), tlv(0x04, alternative)))),
  );
  const signature = tlv(0x03, Buffer.from([0]), sign("sha256", body, privateKey));
  const der = sequence(body, algorithm, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}

/** Encodes a tag, its length and its value in DER (ITU-T X.690). */
function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const size = value.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), value]);
}

const sequence = (...parts: Buffer[]) => tlv(0x30, ...parts);
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, "hex"));
const integer = (value: number) => tlv(0x02, Buffer.from([value]));

function time(days: number): Buffer {
  const at = new Date(Date.now() + days * 24 * 3_600_000).toISOString();
  return tlv(0x18, Buffer.from(`${at.replaceAll(/[-:T]|\..*/g, "")}Z`));
}
