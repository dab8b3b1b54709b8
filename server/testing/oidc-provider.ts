import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import Provider, { type Configuration, interactionPolicy } from "oidc-provider";
import { freePort } from "./free-port.ts";

/** Without `email`, the account shares no address. */
export type OidcAccount = { sub: string; name: string; email?: string; verified?: boolean };

/** Handles a request in the provider's place. Returns false to let the provider respond. */
type Outage = (request: IncomingMessage, response: ServerResponse) => boolean;

export type OidcProvider = Awaited<ReturnType<typeof openOidcProvider>>;

const client = { clientId: "secondlap", clientSecret: "the secret of the tests" };

/** Runs the package `oidc-provider` on its own port. `issuer` is its URL behind a proxy. */
export async function openOidcProvider(
  shopUrl: string,
  changes: Configuration = {},
  behind?: { issuer: string },
) {
  const port = await freePort();
  const issuer = behind?.issuer ?? `http://127.0.0.1:${port}`;
  const accounts = new Map<string, OidcAccount>();
  const create = async () => createProvider({ issuer, shopUrl, accounts, changes });
  let provider = await create();
  let outage: Outage = () => false;
  const requests: URL[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    requests.push(url);
    if (outage(request, response)) return;
    if (url.pathname.startsWith("/interaction/"))
      await chooseAccount({ provider, accounts }, request, response);
    else await provider.callback()(request, response);
  });
  const listen = () =>
    new Promise<void>((listening) => {
      server.listen(port, "127.0.0.1", listening);
    });
  await listen();
  return {
    issuer,
    port,
    client,
    settings: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.clientId,
      OIDC_CLIENT_SECRET: client.clientSecret,
      OIDC_LABEL: "Acme",
    },
    /** Oldest first. */
    requests,
    /** Sign-ins in progress are lost. */
    async rotateKeys() {
      provider = await create();
    },
    setOutage(instead: Outage = () => false) {
      outage = instead;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

type Options = {
  issuer: string;
  shopUrl: string;
  accounts: Map<string, OidcAccount>;
  changes: Configuration;
};

async function createProvider({ issuer, shopUrl, accounts, changes }: Options): Promise<Provider> {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: "select_account", requestable: true }), 0);
  return new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${shopUrl}/api/auth/callback/oidc`],
      },
    ],
    jwks: { keys: [await createSigningKey()] },
    cookies: { keys: ["of the tests"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { policy, url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => {
        const { verified: email_verified, ...claims } = accounts.get(sub) ?? { sub };
        return { ...claims, email_verified };
      },
    }),
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.session?.accountId ?? "";
      const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
    ...changes,
  });
}

async function createSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), use: "sig", alg: "RS256" };
}

async function chooseAccount(
  { provider, accounts }: { provider: Provider; accounts: Map<string, OidcAccount> },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== "POST") {
    response.setHeader("content-type", "text/html; charset=utf-8").end(page);
    return;
  }
  const {
    sub = "",
    name = "",
    email,
    verified,
    cancel,
  } = Object.fromEntries(new URLSearchParams(await text(request)));
  const account = { sub, name, ...(email && { email }), verified: verified === "on" };
  accounts.set(sub, account);
  const chosen = { select_account: {}, login: { accountId: sub } };
  const result = cancel === undefined ? chosen : { error: "access_denied" };
  await provider.interactionFinished(request, response, result);
}

const page = `<!doctype html>
<html lang="en"><title>Choose an account</title><link rel="icon" href="data:,">
<h1>Choose an account</h1>
<form method="post">
  <p><label>User <input name="sub"></label>
  <p><label>Name <input name="name"></label>
  <p><label>Email <input name="email"></label>
  <p><label><input type="checkbox" name="verified" checked> Email is verified</label>
  <p><button>Continue</button> <button name="cancel" value="1">Cancel</button>
</form></html>`;
