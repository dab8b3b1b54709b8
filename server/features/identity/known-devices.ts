import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";

/** Tells a browser in which somebody has signed in to an account before from any other. */
export type KnownDevices = {
  /** The name of the device whose `cookie` header this is, if it is known for this account. */
  read(cookies: string | undefined, account: string): string | undefined;
  /** The `Set-Cookie` line that makes a device known for an account, for half a year. */
  write(account: string): string;
};

/** Devices known by a cookie that is signed together with the account; nothing of it is kept here. */
export function knownDevices({
  secret,
  publicUrl,
}: {
  secret: string;
  publicUrl: string;
}): KnownDevices {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "known devices", 32));
  const isSecure = publicUrl.startsWith("https:");
  const cookie = isSecure ? "__Host-secondlap.device" : "secondlap.device";
  const sign = (device: string, account: string) =>
    createHmac("sha256", key).update(`${device} ${account}`).digest("base64url");
  return {
    read(cookies = "", account) {
      const found = cookies.split("; ").find((one) => one.startsWith(`${cookie}=`));
      const [device = "", signature = ""] = found?.slice(cookie.length + 1).split(".") ?? [];
      return isSame(signature, sign(device, account)) ? device : undefined;
    },
    write(account) {
      const device = randomBytes(16).toString("base64url");
      const value = `${device}.${sign(device, account)}`;
      const flags = `Path=/; Max-Age=${180 * 86_400}; HttpOnly; SameSite=Strict`;
      return `${cookie}=${value}; ${flags}${isSecure ? "; Secure" : ""}`;
    },
  };
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
