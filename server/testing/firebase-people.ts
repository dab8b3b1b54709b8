import { send } from "#contract/client.ts";
import { issueToken, joinAsMember } from "#contract/members.ts";
import type { Clock } from "../clock.ts";
import type { Changes, TestFirebase } from "./firebase.ts";
import type { Shop } from "./shop.ts";

export type FirebasePerson = Changes & { sub: string; email: string };

export function firebasePeople({ idToken }: TestFirebase, clock: Clock) {
  let count = 0;

  async function signedIn(shop: Shop, claims: Changes) {
    const token = await idToken(claims);
    return { host: `${shop.url}/api`, fetch, token: () => token };
  }

  return {
    signedIn,
    newPerson(changes: Changes = {}): FirebasePerson {
      count += 1;
      return { sub: `uid-${count}`, email: `person-${count}@example.com`, ...changes };
    },
    async join(shop: Shop, claims: FirebasePerson) {
      const body = { name: "Ada Lovelace", email: claims.email, accountType: "buyer" } as const;
      return await send(await signedIn(shop, claims), joinAsMember, { body });
    },
    /** Exchanges the ID token for an access token, which the connection sends. */
    async enter(shop: Shop, claims: FirebasePerson) {
      const { email } = claims;
      const { body } = await send(await signedIn(shop, claims), issueToken, { query: { email } });
      return { host: `${shop.url}/api`, fetch, token: () => body.accessToken };
    },
    /** Returns the `auth_time` of a sign-in that happens now. */
    signInTime: () => Math.floor(clock.now().getTime() / 1_000),
  };
}

export const notSignedIn = { status: 401, code: "NOT_SIGNED_IN" };
