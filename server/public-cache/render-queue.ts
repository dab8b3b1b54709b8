import { Overloaded } from "../errors.ts";

/** Runs at most `concurrency` renders at once and lets `maxWaiting` more wait; beyond that they are refused. */
export class RenderQueue {
  readonly #limits: { concurrency: number; maxWaiting: number };
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: { concurrency: number; maxWaiting: number }) {
    this.#limits = limits;
  }

  /** Throws `UNAVAILABLE` if too many wait already, unless it `mustWait`. */
  async run<T>(render: () => Promise<T>, { mustWait = false } = {}): Promise<T> {
    if (this.#running >= this.#limits.concurrency) {
      if (!mustWait && this.#waiting.length >= this.#limits.maxWaiting) throw tooManyRenders();
      await new Promise<void>((begin) => this.#waiting.push(begin));
    } else this.#running += 1;
    try {
      return await render();
    } finally {
      // The place goes to the next one, if there is one.
      const begin = this.#waiting.shift();
      if (begin) begin();
      else this.#running -= 1;
    }
  }
}

function tooManyRenders(): Overloaded {
  const message = "Many people are visiting right now. Please try again in a few seconds.";
  return new Overloaded(message, 2);
}
