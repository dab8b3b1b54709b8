import { createHash } from "node:crypto";

/** Origins besides our own. */
export type Sources = {
  scripts: string[];
  connects: string[];
  frames: string[];
  images: string[];
  /** Allows hot reload's inline styles and WebSocket, in development only. */
  hotReload: boolean;
};

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
