import type { Overloaded } from "./errors.ts";

export type QueueLimits = {
  concurrency: number;
  maxWaiting: number;
  /** Time in the queue until a task is rejected. By default, tasks wait for their turn. */
  maxWaitMs?: number;
  refusal: () => Overloaded;
};

/** `mustWait`: a full queue keeps the task, because work that has begun needs the task's result. */
type TaskOptions = { mustWait?: boolean };
type Task = () => Promise<unknown>;
type Waiting = Required<TaskOptions> & {
  owner: string;
  task: Task;
  start: () => void;
  refuse: () => void;
};

/**
 * Runs tasks round robin by owner, usually a visitor's network. In a full queue, a new task
 * displaces the newest task of the owner with the most, if its own owner has at least two fewer.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  readonly #lastTurns = new Map<string, number>();
  #waiting: Waiting[] = [];
  #running = 0;
  #turns = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** Throws `refusal` if the queue is full, or if the task is displaced or waits too long. */
  async run<T>(
    owner: string,
    task: () => Promise<T>,
    { mustWait = false }: TaskOptions = {},
  ): Promise<T> {
    if (this.#running < this.#limits.concurrency) this.#begin(owner);
    else await this.#waitForTurn({ owner, task, mustWait });
    try {
      return await task();
    } finally {
      this.#running -= 1;
      this.#startNext();
    }
  }

  /** Lets another owner share a waiting task. The owner with fewer waiting tasks then owns it. */
  join(task: Task, owner: string, { mustWait = false }: TaskOptions = {}): void {
    const joined = this.#waiting.find((one) => one.task === task);
    if (!joined) return;
    joined.mustWait ||= mustWait;
    if (this.#countWaiting(owner) >= this.#countWaiting(joined.owner)) return;
    this.#giveTurn(owner);
    joined.owner = owner;
  }

  async #waitForTurn(task: Pick<Waiting, "owner" | "task" | "mustWait">): Promise<void> {
    const { maxWaiting, maxWaitMs, refusal } = this.#limits;
    if (!task.mustWait && this.#waiting.length >= maxWaiting) this.#makeRoomFor(task.owner);
    this.#giveTurn(task.owner);
    const { promise, resolve: start, reject } = Promise.withResolvers<void>();
    const waiting = { ...task, start, refuse: () => reject(refusal()) };
    this.#waiting.push(waiting);
    const timer =
      maxWaitMs === undefined ? undefined : setTimeout(() => this.#refuse(waiting), maxWaitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  #makeRoomFor(owner: string): void {
    const refusable = this.#waiting.filter(({ mustWait }) => !mustWait);
    const byOwner = [...Map.groupBy(refusable, (one) => one.owner).values()];
    const [largest = []] = byOwner.toSorted((a, b) => b.length - a.length);
    const newest = largest.at(-1);
    if (!newest || largest.length <= this.#countWaiting(owner) + 1) throw this.#limits.refusal();
    this.#refuse(newest);
  }

  #refuse(task: Waiting): void {
    this.#waiting = this.#waiting.filter((one) => one !== task);
    task.refuse();
  }

  #countWaiting(owner: string): number {
    return this.#waiting.filter((one) => one.owner === owner).length;
  }

  /** Places a new owner before the one who just had a turn, but after those with earlier turns. */
  #giveTurn(owner: string): void {
    if (!this.#lastTurns.has(owner)) this.#lastTurns.set(owner, this.#turns - 1);
  }

  #begin(owner: string): void {
    this.#running += 1;
    this.#turns += 1;
    this.#lastTurns.set(owner, this.#turns);
  }

  #startNext(): void {
    const lastTurn = ({ owner }: Waiting) => this.#lastTurns.get(owner) ?? 0;
    const [next] = this.#waiting.toSorted((a, b) => lastTurn(a) - lastTurn(b));
    this.#forgetTurns();
    if (!next) return;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    this.#begin(next.owner);
    next.start();
  }

  #forgetTurns(): void {
    const owners = new Set(this.#waiting.map(({ owner }) => owner));
    for (const owner of this.#lastTurns.keys())
      if (!owners.has(owner)) this.#lastTurns.delete(owner);
  }
}
