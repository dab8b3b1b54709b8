import { createHash } from "node:crypto";

/** Whom a page may load from besides ourselves. */
export type Sources = {
  cards: string[];
  frames: string[];
  images: string[];
  /** The styles and the socket of hot reload, in development alone. */
  hotReload: boolean;
};

/**
 * The content security policy of a page: its own inline scripts by hash, since a cached page can't
 * carry a nonce, and no inline styles.
 */
export function contentPolicy(html: string, { cards, frames, images, hotReload }: Sources): string {
  const policy = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...cards, ...inlineScriptHashes(html)],
    "style-src": ["'self'", ...(hotReload ? ["'unsafe-inline'"] : [])],
    "font-src": ["'self'"],
    "img-src": ["'self'", "blob:", "data:", ...images],
    "connect-src": ["'self'", ...cards, ...(hotReload ? ["ws:"] : [])],
    "frame-src": [...cards, ...frames],
    "manifest-src": ["'self'"],
    "worker-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
  };
  return Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(" "))
    .join("; ");
}

function inlineScriptHashes(html: string): string[] {
  const scripts = html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g);
  const hashes = [...scripts].map(([, script = ""]) => {
    return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
  });
  return [...new Set(hashes)];
}
