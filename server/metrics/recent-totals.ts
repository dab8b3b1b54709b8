const sampleMs = 10_000;
const samples = 31;

type Totals = Record<string, number>;

type Sample = { at: number; totals: Totals };

/** How much counters have grown in the last five minutes, or since the start if that is later. */
export class RecentTotals {
  readonly #read: () => Totals;
  readonly #samples: Sample[];
  readonly #timer: NodeJS.Timeout;

  constructor(read: () => Totals) {
    this.#read = read;
    this.#samples = [this.#sample()];
    this.#timer = setInterval(() => {
      this.#samples.push(this.#sample());
      if (this.#samples.length > samples) this.#samples.shift();
    }, sampleMs).unref();
  }

  /** Returns the growth of each counter. `seconds` is the length of the period. */
  growth(): { seconds: number; totals: Totals } {
    const now = this.#sample();
    const [oldest = now] = this.#samples;
    const grown = Object.entries(now.totals).map(
      ([name, total]) => [name, total - (oldest.totals[name] ?? 0)] as const,
    );
    return { seconds: (now.at - oldest.at) / 1_000, totals: Object.fromEntries(grown) };
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sample(): Sample {
    return { at: performance.now(), totals: { ...this.#read() } };
  }
}
