import { createHmac } from "node:crypto";
import { isSameHash, type Secrets } from "../../keyed-hash.ts";

/**
 * Re-signs cookies signed with `PREVIOUS_SECRET`, so that a new `SECRET` signs nobody out.
 * The format is better-auth's: `value.signature`, URL-encoded.
 */
export function reSignCookies(headers: Headers, { secret, previousSecret }: Secrets): Headers {
  const cookies = headers.get("cookie");
  if (previousSecret === undefined || cookies === null) return headers;
  const renewed = new Headers(headers);
  const signed = cookies.split("; ").map((cookie) => {
    const [name = "", text = ""] = cookie.split("=", 2);
    const [, value = "", signature = ""] = /^(.+)\.([\w+/]{43}=)$/.exec(decoded(text)) ?? [];
    if (!isSameHash(signature, sign(value, previousSecret))) return cookie;
    return `${name}=${encodeURIComponent(`${value}.${sign(value, secret)}`)}`;
  });
  renewed.set("cookie", signed.join("; "));
  return renewed;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

function sign(value: string, secret: string): string {
  return createHmac("sha256", secret).update(value).digest("base64");
}
