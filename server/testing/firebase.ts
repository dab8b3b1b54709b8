import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { exportJWK, exportPKCS8, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { send } from "#contract/client.ts";
import { issueToken, joinAsMember } from "#contract/members.ts";
import type { Clock } from "../clock.ts";
import { listen } from "./free-port.ts";
import type { Shop } from "./shop.ts";

const projectId = "secondlap-test";
const apiKey = "a browser key";
/** The emulator's paths begin with this prefix, and its administrator's token is `owner`. */
const emulatorPrefix = "/identitytoolkit.googleapis.com";

/** Replaces claims. An undefined value omits the claim. */
export type Changes = Record<string, unknown>;

type Reply = { status?: number; body: object };

export type FirebaseAccount = { validSince?: number; disabled?: boolean };

export type TestFirebase = Awaited<ReturnType<typeof startTestFirebase>>;

/**
 * Starts a stand-in for Firebase. Only `npm run test:firebase` has the emulator, whose tokens have
 * no signature.
 */
export async function startTestFirebase(clock: Clock) {
  const { publicKey, privateKey } = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(publicKey)), kid: "one", alg: "RS256", use: "sig" };
  const robot = await generateKeyPair("RS256", { extractable: true });
  const state = {
    keyRequests: 0,
    outage: undefined as "down" | "500" | undefined,
    password: "Secret#2026",
    accounts: new Map<string, FirebaseAccount>(),
    deleted: [] as string[],
  };

  const server = createServer(async (request, response) => {
    if (state.outage === "down") return response.socket?.destroy();
    if (state.outage === "500") return response.writeHead(500).end("{}");
    const { status, body } = await handle(request);
    response.statusCode = status ?? 200;
    return response.end(JSON.stringify(body));
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;

  /** A token request may name one of these token URLs as its audience. */
  const audiences = new Set([`${origin}/token`]);

  async function handle(request: IncomingMessage): Promise<Reply> {
    const { pathname: path, searchParams } = new URL(request.url ?? "", origin);
    const pathname = path.replace(emulatorPrefix, "");
    const administrator = path === pathname ? "of the robot" : "owner";
    const sent = await text(request);
    if (pathname === "/keys") {
      state.keyRequests += 1;
      return { body: { keys: [jwk] } };
    }
    if (pathname === "/token") return await issueAccessToken(sent);
    const refuse = (status: number, message: string) => ({
      status,
      body: { error: { code: status, message } },
    });
    if (searchParams.has("key")) {
      if (searchParams.get("key") !== apiKey) return refuse(400, "API_KEY_INVALID");
      if (pathname === "/v1/projects") return { body: { projectId: "1" } };
      const isRight = JSON.parse(sent).password === state.password;
      const body = { localId: "any", email: JSON.parse(sent).email };
      return isRight ? { body } : refuse(400, "INVALID_LOGIN_CREDENTIALS");
    }
    if (request.headers.authorization !== `Bearer ${administrator}`)
      return refuse(401, "UNAUTHENTICATED");
    const { localId } = JSON.parse(sent);
    if (pathname.endsWith("/accounts:delete")) {
      state.deleted.push(localId);
      return { body: { kind: "identitytoolkit#DeleteAccountResponse" } };
    }
    const account = state.accounts.get(localId[0]);
    const { validSince, ...rest } = account ?? {};
    const found = { localId: localId[0], ...rest, validSince: String(validSince ?? 0) };
    const kind = "identitytoolkit#GetAccountInfoResponse";
    return { body: { kind, ...(account && { users: [found] }) } };
  }

  async function issueAccessToken(sent: string) {
    const assertion = new URLSearchParams(sent).get("assertion") ?? "";
    const expected = { audience: [...audiences], currentDate: clock.now() };
    const genuine = await jwtVerify(assertion, robot.publicKey, expected).catch(() => undefined);
    if (!genuine) return { status: 400, body: { error: "invalid_grant" } };
    return { body: { access_token: "of the robot", expires_in: 3_600 } };
  }

  function claimsOf(changes: Changes): JWTPayload {
    const now = Math.floor(clock.now().getTime() / 1_000);
    return {
      iss: `https://securetoken.google.com/${projectId}`,
      aud: projectId,
      sub: "a firebase user",
      iat: now - 1,
      exp: now + 3_599,
      auth_time: now - 1,
      email: "ada@example.com",
      email_verified: true,
      name: "Ada Lovelace",
      firebase: { sign_in_provider: "password", identities: {} },
      ...changes,
    };
  }

  const addresses = {
    keys: `${origin}/keys`,
    identityToolkit: `${origin}/v1`,
    accessTokens: `${origin}/token`,
  };

  return {
    state,
    claimsOf,
    origin,
    addresses,
    addressesBehind(proxies: Record<keyof typeof addresses, string>): typeof addresses {
      const accessTokens = `${proxies.accessTokens}/token`;
      audiences.add(accessTokens);
      const { keys, identityToolkit } = proxies;
      return { keys: `${keys}/keys`, identityToolkit: `${identityToolkit}/v1`, accessTokens };
    },
    emulatorEnv: { FIREBASE_AUTH_EMULATOR_HOST: new URL(origin).host },
    env: {
      FIREBASE_PROJECT_ID: projectId,
      FIREBASE_API_KEY: apiKey,
      FIREBASE_AUTH_DOMAIN: "secondlap-test.firebaseapp.com",
    },
    serviceAccount: await serviceAccountKey(await exportPKCS8(robot.privateKey)),
    async idToken(changes: Changes = {}, { key = privateKey, kid = "one" } = {}): Promise<string> {
      return await new SignJWT(claimsOf(changes))
        .setProtectedHeader({ alg: "RS256", kid })
        .sign(key);
    },
    close: () => new Promise((closed) => server.close(closed)),
  };
}

/** The default private key doesn't belong to the account. */
export function serviceAccountKey(private_key = newPrivateKey(), project_id = projectId): string {
  return JSON.stringify({
    type: "service_account",
    project_id,
    private_key,
    client_email: `robot@${project_id}.iam.gserviceaccount.com`,
  });
}

function newPrivateKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

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
