import { randomBytes } from "node:crypto";
import { isSameHash, keyedHash, keysFor, type Secrets } from "../../keyed-hash.ts";

/** OWASP device cookies, which mark the browsers that have signed in to an account before. */
export type KnownDevices = {
  /** The device id in a `cookie` header, if the cookie is signed for this account. */
  read(cookies: string | undefined, account: string): Promise<string | undefined>;
  /**
   * A `Set-Cookie` value that makes a device known for 180 days. Without `device`, creates a device
   * id.
   */
  write(account: string, device?: string): Promise<string>;
};

type Settings = Secrets & {
  publicUrl: string;
  /** Changes whenever the account's password changes (`Accounts.passwordVersion`). */
  passwordVersion: (account: string) => Promise<string>;
};

/**
 * Signs device cookies: the device id, the account and the password version. Also accepts
 * signatures made with `PREVIOUS_SECRET`. A new password makes all devices unknown, even those of a
 * stranger who signed up with someone else's address. Stores nothing on the server.
 */
export function knownDevices(settings: Settings): KnownDevices {
  const { publicUrl, passwordVersion } = settings;
  const keys = keysFor("known devices", settings);
  const [key] = keys;
  const isSecure = publicUrl.startsWith("https:");
  const cookie = isSecure ? "__Host-secondlap.device" : "secondlap.device";
  return {
    async read(cookies = "", account) {
      const found = cookies.split("; ").find((one) => one.startsWith(`${cookie}=`));
      if (found === undefined) return undefined;
      const [device = "", signature = ""] = found.slice(cookie.length + 1).split(".");
      const payload = `${device} ${account} ${await passwordVersion(account)}`;
      return keys.some((one) => isSameHash(signature, keyedHash(one, payload)))
        ? device
        : undefined;
    },
    async write(account, device = randomBytes(16).toString("base64url")) {
      const payload = `${device} ${account} ${await passwordVersion(account)}`;
      const flags = `Path=/; Max-Age=${180 * 86_400}; HttpOnly; SameSite=Strict`;
      return `${cookie}=${device}.${keyedHash(key, payload)}; ${flags}${isSecure ? "; Secure" : ""}`;
    },
  };
}
