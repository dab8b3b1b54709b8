import { loadavg } from "node:os";

/** Prints what was measured, and remembers whether all of it was as it must be. */
export class Checks {
  readonly #startedAt = Date.now();
  readonly #failed: string[] = [];

  /** Says what happens now, with the time since the start and the machine's load. */
  readonly step = (what: string): void => {
    const seconds = Math.round((Date.now() - this.#startedAt) / 1_000);
    const [load = 0] = loadavg();
    console.log(`[${seconds} s, load ${load.toFixed(1)}] ${what}`);
  };

  /** Prints a figure, and whether it is as it must be. */
  expect(isTrue: boolean, sentence: string, details: unknown[] = []): void {
    console.log(`  ${isTrue ? "ok    " : "FAILED"} ${sentence}`);
    if (isTrue) return;
    this.#failed.push(sentence);
    for (const detail of details.slice(0, 8)) console.log(`           ${JSON.stringify(detail)}`);
  }

  /** Prints a figure of which nothing is demanded. */
  say(sentence: string): void {
    console.log(`         ${sentence}`);
  }

  /** Whether everything was as it must be. */
  finish(): boolean {
    if (this.#failed.length > 0)
      console.log(`\n${this.#failed.length} failed: ${this.#failed.join("; ")}`);
    else console.log("\nEverything is as it must be.");
    return this.#failed.length === 0;
  }
}
