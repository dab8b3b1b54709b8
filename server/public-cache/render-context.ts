import { AsyncLocalStorage } from "node:async_hooks";

/**
 * What a render has read so far: the tags of the cached answers, whether one of them could not be had, and whether that
 * is only so for the moment.
 */
export type RenderContext = { tags: Set<string>; failed: boolean; unavailable: boolean };

const renders = new AsyncLocalStorage<RenderContext>();

/** The render that this runs in, if there is one: it must not get stale answers, and inherits their tags. */
export function currentRender(): RenderContext | undefined {
  return renders.getStore();
}

/** Runs a render, or anything else that must read fresh answers. */
export async function runAsRender<T>(
  work: () => Promise<T>,
): Promise<{ result: T; context: RenderContext }> {
  const context = { tags: new Set<string>(), failed: false, unavailable: false };
  return { result: await renders.run(context, work), context };
}
