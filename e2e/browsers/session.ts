import { setTimeout as wait } from "node:timers/promises";

export type Session = {
  /** Such as "firefox 153.7.0". */
  browser: string;
  goto(url: string): Promise<unknown>;
  /** Runs `script`, a function body, in the page or in the entered frame. */
  evaluate(script: string, ...args: (string | Element)[]): Promise<unknown>;
  click(element: Element): Promise<unknown>;
  type(element: Element, text: string): Promise<unknown>;
  select(field: Element, option: string): Promise<unknown>;
  chooseFile(field: Element, path: string): Promise<unknown>;
  /** Null returns to the page. */
  enterFrame(frame: Element | null): Promise<unknown>;
  /** Console errors and uncaught errors, if the protocol reports them. */
  errors: string[];
  screenshot(): Promise<Buffer>;
  close(): Promise<unknown>;
};

export type Element = Record<string, string>;

const timeoutMs = 60_000;

/** Repeats the attempt until it returns a truthy value. On timeout, throws the last error. */
export async function until<T>(attempt: () => Promise<T | null | undefined | false>): Promise<T> {
  let last: unknown = new Error("It did not appear.");
  for (const end = Date.now() + timeoutMs; Date.now() < end; await wait(100)) {
    try {
      const found = await attempt();
      if (found) return found;
    } catch (error) {
      last = error;
    }
  }
  throw last;
}
