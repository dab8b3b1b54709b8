/** A round-robin queue over clients, with a limit per client and a limit for all clients. */
export class FairQueue<T> {
  readonly #limits: { max: number; maxPerClient: number };
  readonly #waiting = new Map<string, T[]>();
  #size = 0;

  constructor(limits: { max: number; maxPerClient: number }) {
    this.#limits = limits;
  }

  /** Returns false if the queue is full. */
  add(client: string, item: T): boolean {
    const own = this.#waiting.get(client) ?? [];
    if (this.#size >= this.#limits.max || own.length >= this.#limits.maxPerClient) return false;
    own.push(item);
    this.#waiting.set(client, own);
    this.#size += 1;
    return true;
  }

  /** Removes and returns the next item, taking clients in turn. */
  next(): T | undefined {
    for (const [client, own] of this.#waiting) {
      const item = own.shift();
      this.#waiting.delete(client);
      if (own.length > 0) this.#waiting.set(client, own);
      this.#size -= 1;
      return item;
    }
    return undefined;
  }
}
