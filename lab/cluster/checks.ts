import { loadavg } from "node:os";

export class Checks {
  readonly #startedAt = Date.now();
  readonly #failed: string[] = [];

  readonly step = (what: string): void => {
    const seconds = Math.round((Date.now() - this.#startedAt) / 1_000);
    const [load = 0] = loadavg();
    console.log(`[${seconds} s, load ${load.toFixed(1)}] ${what}`);
  };

  expect(isTrue: boolean, sentence: string, details: unknown[] = []): void {
    console.log(`  ${isTrue ? "ok    " : "FAILED"} ${sentence}`);
    if (isTrue) return;
    this.#failed.push(sentence);
    for (const detail of details.slice(0, 8)) console.log(`           ${JSON.stringify(detail)}`);
  }

  say(sentence: string): void {
    console.log(`         ${sentence}`);
  }

  finish(): boolean {
    if (this.#failed.length > 0)
      console.log(`\n${this.#failed.length} failed: ${this.#failed.join("; ")}`);
    else console.log("\nEverything is as it must be.");
    return this.#failed.length === 0;
  }
}
