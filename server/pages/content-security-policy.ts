import { createHash } from "node:crypto";

/** Whom a page may load from besides ourselves. */
export type Sources = {
  scripts: string[];
  connects: string[];
  frames: string[];
  /** The styles and the socket of hot reload, in development alone. */
  hotReload: boolean;
};

/** A page as it was rendered; the inline scripts of ours are marked in it by `nonce`. */
export type Rendered = { html: string; mark: string };

/**
 * The content security policy of a page: its own inline scripts by hash, since a cached page can't
 * carry a nonce, and no inline styles. A script that text of somebody's has become has no mark. Text becomes script or markup only through the page's own
 * default policy of trusted types (`web/root.tsx`).
 */
export function contentSecurityPolicy(
  page: Rendered,
  { scripts, connects, frames, hotReload }: Sources,
): string {
  const policy = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...scripts, ...inlineScriptHashes(page)],
    "style-src": ["'self'", ...(hotReload ? ["'unsafe-inline'"] : [])],
    "font-src": ["'self'"],
    "img-src": ["'self'", "blob:", "data:"],
    "connect-src": ["'self'", ...connects, ...(hotReload ? ["ws:"] : [])],
    "frame-src": frames,
    "manifest-src": ["'self'"],
    "worker-src": ["'self'"],
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
    // Hot reload writes markup of its own.
    ...(!hotReload && { "require-trusted-types-for": ["'script'"], "trusted-types": ["default"] }),
  };
  return Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(" "))
    .join("; ");
}

/** The page as it is sent. */
export function withoutNonces({ html, mark }: Rendered): string {
  return html.replaceAll(` nonce="${mark}"`, "");
}

function inlineScriptHashes({ html, mark }: Rendered): string[] {
  const scripts = html.matchAll(/<script(?![^>]*\ssrc=)([^>]*)>([\s\S]*?)<\/script>/g);
  const hashes = [...scripts].flatMap(([, attributes = "", script = ""]) => {
    if (!attributes.includes(` nonce="${mark}"`)) return [];
    return `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
  });
  return [...new Set(hashes)];
}
