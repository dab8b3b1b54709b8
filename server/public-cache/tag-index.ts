import { cacheTags } from "#contract/cache-tags.ts";

/**
 * Maps each tag to the keys of cached responses. Every response with a tag also has the tag `all`.
 */
export class TagIndex {
  readonly #keys = new Map<string, Set<string>>();

  add(key: string, tags: ReadonlySet<string>): void {
    for (const tag of withAll(tags)) {
      const keys = this.#keys.get(tag);
      if (keys) keys.add(key);
      else this.#keys.set(tag, new Set([key]));
    }
  }

  delete(key: string, tags: ReadonlySet<string>): void {
    for (const tag of withAll(tags)) {
      const keys = this.#keys.get(tag);
      keys?.delete(key);
      if (keys?.size === 0) this.#keys.delete(tag);
    }
  }

  keysOf(tag: string): Iterable<string> {
    return this.#keys.get(tag) ?? [];
  }
}

function withAll(tags: ReadonlySet<string>): Iterable<string> {
  return tags.size === 0 ? [] : [...tags, cacheTags.all];
}
