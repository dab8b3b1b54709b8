import { networkOf } from "../db/rate-limiter.ts";

/** The addresses whose writes were acknowledged less than `withinMs` ago. */
export class RecentWriters {
  readonly #withinMs: number;
  /** The time of the last write by network, oldest first. */
  readonly #writes = new Map<string, number>();

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  add(address: string): void {
    const now = performance.now();
    for (const [network, at] of this.#writes) {
      if (now - at < this.#withinMs) break;
      this.#writes.delete(network);
    }
    const network = networkOf(address);
    this.#writes.delete(network);
    this.#writes.set(network, now);
  }

  has(address: string): boolean {
    if (this.#writes.size === 0) return false;
    const at = this.#writes.get(networkOf(address));
    return at !== undefined && performance.now() - at < this.#withinMs;
  }
}
