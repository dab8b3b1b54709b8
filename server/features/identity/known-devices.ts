import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** Tells a browser in which somebody has signed in to an account before from any other. */
export type KnownDevices = {
  /** The name of the device whose `cookie` header this is, if it is known for this account. */
  read(cookies: string | undefined, account: string): string | undefined;
  /** The `Set-Cookie` line that makes a device known for an account, for half a year. */
  write(account: string): string;
};

type Settings = { secret: string; previousSecret: string | undefined; publicUrl: string };

/**
 * Devices known by a cookie that is signed together with the account, under `SECRET` or the one before it;
 * nothing of it is kept here.
 */
export function knownDevices({ secret, previousSecret, publicUrl }: Settings): KnownDevices {
  const key = keyOf(secret);
  const keys = previousSecret === undefined ? [key] : [key, keyOf(previousSecret)];
  const isSecure = publicUrl.startsWith("https:");
  const cookie = isSecure ? "__Host-secondlap.device" : "secondlap.device";
  return {
    read(cookies = "", account) {
      const found = cookies.split("; ").find((one) => one.startsWith(`${cookie}=`));
      const [device = "", signature = ""] = found?.slice(cookie.length + 1).split(".") ?? [];
      const what = `${device} ${account}`;
      return keys.some((one) => isSame(signature, sign(what, one))) ? device : undefined;
    },
    write(account) {
      const device = randomBytes(16).toString("base64url");
      const value = `${device}.${sign(`${device} ${account}`, key)}`;
      const flags = `Path=/; Max-Age=${180 * 86_400}; HttpOnly; SameSite=Strict`;
      return `${cookie}=${value}; ${flags}${isSecure ? "; Secure" : ""}`;
    },
  };
}

function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "known devices", 32));
}

function sign(what: string, key: Uint8Array): string {
  return createHmac("sha256", key).update(what).digest("base64url");
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
