import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { Tx } from "../../db/database.ts";

/** Tells a browser in which somebody has signed in to an account, by its present password, from any other. */
export type KnownDevices = {
  /** The name of the device whose `cookie` header this is, if it is known for this account. */
  read(cookies: string | undefined, account: string): Promise<string | undefined>;
  /** The `Set-Cookie` line that makes a device known for an account, for half a year; a new one unless named. */
  write(account: string, device?: string): Promise<string>;
};

type Settings = { secret: string; previousSecret: string | undefined; publicUrl: string };

/**
 * Devices known by a cookie that is signed together with the account and its password's hash, under `SECRET`
 * or the one before it: whoever signed up with somebody else's address is a stranger once its owner has set
 * a new password. Nothing of it is kept here.
 */
export function knownDevices(
  tx: Tx,
  { secret, previousSecret, publicUrl }: Settings,
): KnownDevices {
  const key = keyOf(secret);
  const keys = previousSecret === undefined ? [key] : [key, keyOf(previousSecret)];
  const isSecure = publicUrl.startsWith("https:");
  const cookie = isSecure ? "__Host-secondlap.device" : "secondlap.device";
  return {
    async read(cookies = "", account) {
      const found = cookies.split("; ").find((one) => one.startsWith(`${cookie}=`));
      if (found === undefined) return undefined;
      const [device = "", signature = ""] = found.slice(cookie.length + 1).split(".");
      const what = `${device} ${account} ${await passwordOf(tx, account)}`;
      return keys.some((one) => isSame(signature, sign(what, one))) ? device : undefined;
    },
    async write(account, device = randomBytes(16).toString("base64url")) {
      const what = `${device} ${account} ${await passwordOf(tx, account)}`;
      const flags = `Path=/; Max-Age=${180 * 86_400}; HttpOnly; SameSite=Strict`;
      return `${cookie}=${device}.${sign(what, key)}; ${flags}${isSecure ? "; Secure" : ""}`;
    },
  };
}

/** The hash of an account's password, with a salt of its own each time one is set; empty where there is none. */
async function passwordOf(tx: Tx, email: string): Promise<string> {
  const account = await tx
    .selectFrom("identity.account as account")
    .innerJoin("identity.user as user", "user.id", "account.userId")
    .select("password")
    .where("email", "=", email)
    .where("providerId", "=", "credential")
    .executeTakeFirst();
  return account?.password ?? "";
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
