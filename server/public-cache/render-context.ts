import { AsyncLocalStorage } from "node:async_hooks";

/** What an answer depends on besides its own render. */
export type Dependencies = {
  tags: ReadonlySet<string>;
  /** When it expires on this node (`performance.now()`). A CDN keeps it up to `cdnSeconds`. */
  expiresAt: number;
  cdnSeconds: number;
};

/**
 * The dependencies of the answers that a render has read so far. `failed`: an answer was a server
 * error. `unavailable`: that error is temporary.
 */
export type RenderContext = Dependencies & {
  /** The address of the visitor it began for. */
  reader: string | undefined;
  tags: Set<string>;
  failed: boolean;
  unavailable: boolean;
};

const renders = new AsyncLocalStorage<RenderContext>();

/** The current render, if any. It must not get stale answers, and inherits their dependencies. */
export function currentRender(): RenderContext | undefined {
  return renders.getStore();
}

/** A page has the dependencies of the answers it was rendered from. */
export function inherit(render: RenderContext, answer: Dependencies): void {
  for (const tag of answer.tags) render.tags.add(tag);
  render.expiresAt = Math.min(render.expiresAt, answer.expiresAt);
  render.cdnSeconds = Math.min(render.cdnSeconds, answer.cdnSeconds);
}

/** Runs a render, or anything else that must read fresh answers. */
export async function runAsRender<T>(
  work: () => Promise<T>,
  reader: string | undefined,
): Promise<{ result: T; context: RenderContext }> {
  const never = Number.POSITIVE_INFINITY;
  const context: RenderContext = {
    reader,
    ...{ tags: new Set<string>(), expiresAt: never, cdnSeconds: never },
    ...{ failed: false, unavailable: false },
  };
  return { result: await renders.run(context, work), context };
}
