import { AsyncLocalStorage } from "node:async_hooks";

/** A response is valid until a tag changes, or until it expires. */
export type Dependencies = {
  tags: ReadonlySet<string>;
  /** A `performance.now()` on this node. For CDNs, see `cdnSeconds`. */
  expiresAt: number;
  cdnSeconds: number;
};

/** `failed`: a response read so far was a server error. `unavailable`: that error was temporary. */
export type RenderContext = Dependencies & {
  /** The IP address of the visitor for whom the render began. */
  reader: string | undefined;
  tags: Set<string>;
  failed: boolean;
  unavailable: boolean;
};

const renders = new AsyncLocalStorage<RenderContext>();

/** A render inherits the dependencies of the responses it reads. */
export function currentRender(): RenderContext | undefined {
  return renders.getStore();
}

export function inherit(render: RenderContext, answer: Dependencies): void {
  for (const tag of answer.tags) render.tags.add(tag);
  render.expiresAt = Math.min(render.expiresAt, answer.expiresAt);
  render.cdnSeconds = Math.min(render.cdnSeconds, answer.cdnSeconds);
}

/** Runs a render, or other work whose calls must not be rejected by a full queue. */
export async function runAsRender<T>(
  work: () => Promise<T>,
  reader: string | undefined,
): Promise<{ result: T; context: RenderContext }> {
  const never = Number.POSITIVE_INFINITY;
  const context: RenderContext = {
    reader,
    tags: new Set<string>(),
    expiresAt: never,
    cdnSeconds: never,
    failed: false,
    unavailable: false,
  };
  return { result: await renders.run(context, work), context };
}
