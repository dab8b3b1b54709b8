import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** OWASP device cookies, which mark the browsers that have signed in to an account before. */
export type KnownDevices = {
  /** The device id in a `cookie` header, if its signature is valid for this account. */
  read(cookies: string | undefined, account: string): Promise<string | undefined>;
  /** A `Set-Cookie` value that makes a device known for 180 days. Creates the id if omitted. */
  write(account: string, device?: string): Promise<string>;
};

type Settings = {
  secret: string;
  previousSecret: string | undefined;
  publicUrl: string;
  /** Changes whenever the account's password changes (`Accounts.passwordVersion`). */
  passwordVersion: (account: string) => Promise<string>;
};

/**
 * Signs device cookies over the device, the account and the password version. Also accepts
 * signatures with `PREVIOUS_SECRET`. A new password makes all devices unknown, even those of a
 * stranger who signed up with the address. Stores nothing on the server.
 */
export function knownDevices(settings: Settings): KnownDevices {
  const { secret, previousSecret, publicUrl, passwordVersion } = settings;
  const key = deriveKey(secret);
  const keys = previousSecret === undefined ? [key] : [key, deriveKey(previousSecret)];
  const isSecure = publicUrl.startsWith("https:");
  const cookie = isSecure ? "__Host-secondlap.device" : "secondlap.device";
  return {
    async read(cookies = "", account) {
      const found = cookies.split("; ").find((one) => one.startsWith(`${cookie}=`));
      if (found === undefined) return undefined;
      const [device = "", signature = ""] = found.slice(cookie.length + 1).split(".");
      const payload = `${device} ${account} ${await passwordVersion(account)}`;
      return keys.some((one) => isEqual(signature, sign(payload, one))) ? device : undefined;
    },
    async write(account, device = randomBytes(16).toString("base64url")) {
      const payload = `${device} ${account} ${await passwordVersion(account)}`;
      const flags = `Path=/; Max-Age=${180 * 86_400}; HttpOnly; SameSite=Strict`;
      return `${cookie}=${device}.${sign(payload, key)}; ${flags}${isSecure ? "; Secure" : ""}`;
    },
  };
}

function deriveKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "known devices", 32));
}

function sign(payload: string, key: Uint8Array): string {
  return createHmac("sha256", key).update(payload).digest("base64url");
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
