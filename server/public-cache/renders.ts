import { AsyncLocalStorage } from "node:async_hooks";
import { cacheTags } from "#contract/cache-tags.ts";
import type { MaxAge } from "#contract/call.ts";
import { networkOf } from "../db/rate-limiter.ts";
import { Overloaded } from "../errors.ts";
import { FairQueue } from "../fair-queue.ts";
import { CachedResponse, type RenderedResponse } from "./cached-response.ts";
import { cdnHeaders } from "./cdn-headers.ts";

/** A response is valid until a tag changes, or until it expires. */
type Dependencies = {
  tags: ReadonlySet<string>;
  /** A `performance.now()` on this node. For CDNs, see `cdnSeconds`. */
  expiresAt: number;
  cdnSeconds: number;
};

/** `failed`: a response read so far was a server error. `unavailable`: one was a 503. */
type RenderContext = Dependencies & {
  /** The IP address of the visitor for whom the render began. */
  reader: string | undefined;
  tags: Set<string>;
  failed: boolean;
  unavailable: boolean;
};

const never = Number.POSITIVE_INFINITY;
const renders = new AsyncLocalStorage<RenderContext>();

/** The render in whose async context the caller runs. */
export function currentRender(): RenderContext | undefined {
  return renders.getStore();
}

/** Adds the dependencies of a response that the render has read. */
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

/** `number` counts changes in the order in which they are read. */
type Invalidation = { number: number; tags: ReadonlySet<string> };

/** All times come from `performance.now()`. */
export type Entry = Dependencies & {
  response: CachedResponse;
  renderedAt: number;
};

/** `outdatedBy`: the number of the first change that the response may not contain. */
type Rendered = Entry & { outdatedBy: number | undefined };

export type Source = {
  key: string;
  queue: "calls" | "pages";
  render: () => Promise<RenderedResponse>;
  reader: string | undefined;
};

/** `since`: the number of the last invalidation before the render began. */
type Render = { since: number; work: () => Promise<Rendered>; done: Promise<Rendered> };

/** How long server errors, and pages that are missing data because of one, are cached. */
const errorMs = 1_000;
const unlimited: MaxAge = { nodeSeconds: never, cdnSeconds: never };

/** Runs one render per key at a time, and a limited number in all. */
export class Renders {
  readonly #queues = {
    calls: new FairQueue({ concurrency: 8, maxWaiting: 200, refusal: tooManyRenders }),
    pages: new FairQueue({ concurrency: 2, maxWaiting: 50, refusal: tooManyRenders }),
  };
  readonly #underWay = new Map<string, Render>();
  readonly #store: (key: string, entry: Entry) => void;
  readonly #cdnSeconds: number | undefined;
  /** Invalidations that a render under way may have missed. */
  #invalidations: Invalidation[] = [];
  #count = 0;

  constructor(store: (key: string, entry: Entry) => void, cdnSeconds?: number) {
    this.#store = store;
    this.#cdnSeconds = cdnSeconds;
  }

  /** Makes running renders with one of these tags stale. */
  invalidate(tags: ReadonlySet<string>): void {
    this.#count += 1;
    if (this.#underWay.size > 0) this.#invalidations.push({ number: this.#count, tags });
  }

  /** Renders, or joins a running render. The result contains all changes read before this call. */
  async render(source: Source): Promise<Entry> {
    const lastReadNumber = this.#count;
    for (;;) {
      const render = this.#join(source) ?? this.#begin(source);
      try {
        const entry = await render.done;
        if (!entry.outdatedBy || entry.outdatedBy > lastReadNumber) return entry;
      } catch (error) {
        if (render.since >= lastReadNumber) throw error;
      }
    }
  }

  async renderOnce(
    render: () => Promise<RenderedResponse>,
    reader: string,
  ): Promise<CachedResponse> {
    const work = () => runAsRender(render, reader);
    const { result } = await this.#queues.pages.run(networkOf(reader), work);
    return new CachedResponse(result);
  }

  #join({ key, queue, reader = "" }: Source): Render | undefined {
    const render = this.#underWay.get(key);
    if (render) this.#queues[queue].join(render.work, networkOf(reader), urgency());
    return render;
  }

  #begin({ key, queue, render, reader }: Source): Render {
    const work = async () => {
      underWay.since = this.#count;
      const began = performance.now();
      const { result, context } = await runAsRender(render, reader);
      const entry = this.#entryOf(result, context, { since: underWay.since, began });
      if (!entry.outdatedBy) this.#store(key, entry);
      return entry;
    };
    const underWay: Render = { since: this.#count, work, done: undefined as never };
    underWay.done = this.#queues[queue]
      .run(networkOf(reader ?? ""), work, urgency())
      .finally(() => this.#end(key));
    this.#underWay.set(key, underWay);
    return underWay;
  }

  #end(key: string): void {
    this.#underWay.delete(key);
    const oldest = Math.min(...[...this.#underWay.values()].map(({ since }) => since));
    this.#invalidations = this.#invalidations.filter(({ number }) => number > oldest);
  }

  #entryOf(
    { tags = [], maxAge = unlimited, ...rendered }: RenderedResponse,
    context: RenderContext,
    { since, began }: { since: number; began: number },
  ): Rendered {
    const now = performance.now();
    const isError = rendered.status >= 500 || context.failed;
    const end = isError ? now + errorMs : began + 1_000 * maxAge.nodeSeconds;
    const allTags = new Set([...context.tags, ...tags]);
    const outdatedBy = this.#invalidations.find(
      (invalidation) => invalidation.number > since && includesChange(allTags, invalidation.tags),
    )?.number;
    // A stale response might reach a CDN after the change's last purge.
    const isForCdn = !isError && outdatedBy === undefined;
    const depends: Dependencies = {
      tags: allTags,
      expiresAt: Math.min(context.expiresAt, end),
      cdnSeconds: isForCdn ? Math.min(context.cdnSeconds, maxAge.cdnSeconds) : 0,
    };
    return {
      ...depends,
      response: new CachedResponse({ ...rendered, headers: this.#headersOf(rendered, depends) }),
      renderedAt: now,
      outdatedBy,
    };
  }

  /** Adds the CDN headers, unless the response sets its own `cache-control`. */
  #headersOf(
    { status, headers }: Pick<RenderedResponse, "status" | "headers">,
    { tags, cdnSeconds }: Dependencies,
  ): Record<string, string> {
    if (this.#cdnSeconds === undefined || "cache-control" in headers) return headers;
    const seconds = Math.min(this.#cdnSeconds, cdnSeconds);
    return { ...headers, ...cdnHeaders({ status, tags, seconds }) };
  }
}

/** Whether a response with these tags shows something that changed. */
export function includesChange(tags: ReadonlySet<string>, changed: ReadonlySet<string>): boolean {
  if (tags.size === 0) return false;
  if (changed.has(cacheTags.all)) return true;
  for (const tag of changed) if (tags.has(tag)) return true;
  return false;
}

/** A full queue rejects no calls during a page's render, because the page needs their responses. */
function urgency() {
  return { mustWait: currentRender() !== undefined };
}

export function tooManyRenders(): Overloaded {
  const message = "Many people are visiting right now. Please try again in a few seconds.";
  return new Overloaded(message, 2);
}
