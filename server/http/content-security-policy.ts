import { createHash } from "node:crypto";
import type { HostedSignIn } from "../adapters/identity/port.ts";
import type { Deps } from "../deps.ts";

type Sources = ReturnType<typeof sourcesOf>;

/** Origins besides our own: those of the card provider, the identity provider, and the photos. */
export function sourcesOf({ cards, config, identity }: Deps) {
  const { s3, imageHost } = config;
  const sandbox = originsOf(cards.browser.scriptUrl);
  const provider =
    sandbox.length === 0 ? stripe : { scripts: sandbox, connects: sandbox, frames: sandbox };
  const signIn = identity.firebase && firebase(identity.firebase);
  return {
    scripts: [...provider.scripts, ...(signIn?.scripts ?? [])],
    connects: [...provider.connects, ...originsOf(imageHost?.url), ...(signIn?.connects ?? [])],
    frames: [...provider.frames, ...(signIn?.frames ?? [])],
    images: imageHost?.origins ?? originsOf(s3?.publicUrl),
    /** Allows hot reload's inline styles and WebSocket. */
    hotReload: config.development,
  };
}

function originsOf(url: string | null | undefined): string[] {
  return url ? [new URL(url).origin] : [];
}

/** Origins that Stripe.js needs (docs.stripe.com/security/guide, Content Security Policy). */
const stripe = {
  scripts: ["https://js.stripe.com", "https://*.js.stripe.com"],
  connects: ["https://api.stripe.com"],
  frames: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
};

/** Origins that Firebase Auth needs. Its script opens a frame that gets the popup's result. */
function firebase({ authDomain, emulatorUrl }: HostedSignIn) {
  const scripts = ["https://apis.google.com"];
  if (emulatorUrl !== null) return { scripts, connects: [emulatorUrl], frames: [emulatorUrl] };
  return {
    scripts,
    connects: ["https://identitytoolkit.googleapis.com", "https://securetoken.googleapis.com"],
    frames: [`https://${authDomain}`],
  };
}

/** `nonce` marks our own inline scripts in the HTML. */
type Rendered = { html: string; nonce: string };

/**
 * Allows our inline scripts by hash, because a cached page can't have a nonce. Only scripts
 * rendered with `nonce` get a hash, so injected scripts are blocked. `web/start/page-loader.ts`
 * creates the Trusted Types policy.
 */
export function contentSecurityPolicy(
  page: Rendered,
  { scripts, connects, frames, images, hotReload }: Sources,
): string {
  const policy = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...scripts, ...inlineScriptHashes(page)],
    "style-src": ["'self'", ...(hotReload ? ["'unsafe-inline'"] : [])],
    "font-src": ["'self'"],
    "img-src": ["'self'", "blob:", "data:", ...images],
    "connect-src": ["'self'", ...connects, ...(hotReload ? ["ws:"] : [])],
    "frame-src": frames,
    "manifest-src": ["'self'"],
    "worker-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
    // Left out in development, because hot reload inserts markup.
    ...(!hotReload && { "require-trusted-types-for": ["'script'"], "trusted-types": ["default"] }),
  };
  return Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(" "))
    .join("; ");
}

/** Removes the nonces, because the policy has hashes instead. */
export function withoutNonces({ html, nonce }: Rendered): string {
  return html.replaceAll(` nonce="${nonce}"`, "");
}

function inlineScriptHashes({ html, nonce }: Rendered): string[] {
  const scripts = html.matchAll(/<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g);
  const hashes = [...scripts].flatMap(([, attributes = "", script = ""]) => {
    if (!attributes.includes(` nonce="${nonce}"`)) return [];
    return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
  });
  return [...new Set(hashes)];
}
