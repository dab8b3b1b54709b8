import { AsyncLocalStorage } from "node:async_hooks";

/** On what an answer depends besides its own render. */
export type Dependencies = {
  tags: ReadonlySet<string>;
  /** When it ends on this node, of `performance.now()`; a CDN keeps it for `cdnSeconds` at most. */
  expiresAt: number;
  cdnSeconds: number;
};

/**
 * What a render has read so far: on what the cached answers depend, whether one of them could not be had, and whether that
 * is only so for the moment.
 */
export type RenderContext = Dependencies & {
  /** The address of the visitor it began for. */
  reader: string | undefined;
  tags: Set<string>;
  failed: boolean;
  unavailable: boolean;
};

const renders = new AsyncLocalStorage<RenderContext>();

/** The render that this runs in, if there is one: it must not get stale answers, and inherits what they depend on. */
export function currentRender(): RenderContext | undefined {
  return renders.getStore();
}

/** A page depends on what the answers it was rendered from depend on. */
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
