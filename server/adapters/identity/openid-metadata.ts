import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import { z } from "zod";
import type { Clock } from "../../clock.ts";
import { providerTimeouts } from "../../settings/timeouts.ts";
import { limitCalls, limitedFetch } from "../limit-calls.ts";

/** The parts we use of a discovery document (OpenID Connect Discovery 1.0, section 3). */
const discoveryDocument = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  userinfo_endpoint: z.url().optional(),
  jwks_uri: z.url(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(["client_secret_basic"]),
  prompt_values_supported: z.array(z.string()).optional(),
});

export type OpenIdMetadata = z.output<typeof discoveryDocument> & {
  publicKeys: JWTVerifyGetKey;
  requestJson: RequestJson;
};

/** Requests JSON from a provider. Throws on timeouts, redirects and statuses other than 2xx. */
type RequestJson = (url: string, init?: RequestInit) => Promise<unknown>;

const maxRequests = 50;
const fetchAnswer = limitedFetch(1_000_000);
const keptForMs = 60 * 60_000;

/**
 * Reads a provider's discovery document on first use, and again after an hour. A failure is not
 * cached, so the next sign-in tries again.
 */
export function openIdMetadata(
  issuer: string,
  clock: Clock,
  timeoutMs = providerTimeouts.signIn,
): () => Promise<OpenIdMetadata> {
  const requestJson = jsonRequests(timeoutMs);
  let current: { metadata: Promise<OpenIdMetadata>; until: number } | undefined;
  return async () => {
    const now = clock.now().getTime();
    if (current && now < current.until) return await current.metadata;
    const metadata = readMetadata(issuer, { requestJson, timeoutMs });
    const reading = { metadata, until: now + keptForMs };
    current = reading;
    try {
      return await reading.metadata;
    } catch (error) {
      if (current === reading) current = undefined;
      throw error;
    }
  };
}

type Requests = { requestJson: RequestJson; timeoutMs: number };

async function readMetadata(
  issuer: string,
  { requestJson, timeoutMs }: Requests,
): Promise<OpenIdMetadata> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const document = discoveryDocument.parse(await requestJson(url));
  if (document.issuer !== issuer)
    throw new Error(`The provider calls itself ${document.issuer}, not ${issuer}.`);
  requireSameProtocol(issuer, document);
  // No cooldown, so that an ID token with a new key causes a fetch immediately. ID tokens come only
  // from the provider's token endpoint, so strangers can't cause fetches.
  const publicKeys = createRemoteJWKSet(new URL(document.jwks_uri), {
    timeoutDuration: timeoutMs,
    cooldownDuration: 0,
    [customFetch]: fetchAnswer,
  });
  return { ...document, publicKeys, requestJson };
}

/** A provider reached over TLS must not send us or our members to a URL without TLS. */
function requireSameProtocol(issuer: string, document: z.output<typeof discoveryDocument>): void {
  const { authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri } = document;
  const { protocol } = new URL(issuer);
  for (const url of [authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri]) {
    if (url !== undefined && new URL(url).protocol !== protocol)
      throw new Error(`${url} must begin with ${protocol}, as ${issuer} does.`);
  }
}

function jsonRequests(timeoutMs: number): RequestJson {
  const limit = limitCalls(maxRequests, { service: "sign-in", isRefusal });
  return async (url, init) =>
    await limit(async () => {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await fetchAnswer(url, { ...init, redirect: "error", signal });
      if (response.ok) return await response.json();
      await response.body?.cancel();
      throw new UnexpectedStatus(url, response.status);
    });
}

class UnexpectedStatus extends Error {
  readonly status: number;

  constructor(url: string | URL, status: number) {
    super(`${url} answered ${status}.`);
    this.status = status;
  }
}

/** A 4xx means that the provider works, but rejects a visitor's wrong or outdated code. */
function isRefusal(error: unknown): boolean {
  return error instanceof UnexpectedStatus && error.status >= 400 && error.status < 500;
}
