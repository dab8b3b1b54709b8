import { expect, test } from "vitest";
import { limitCalls, TooManyCalls } from "./limit-calls.ts";

test("calls beyond the limit are rejected until a running call has finished or failed", async () => {
  const limit = limitCalls(2, { service: "cards" });
  const started: PromiseWithResolvers<void>[] = [];
  const call = () => {
    const ending = Promise.withResolvers<void>();
    started.push(ending);
    return ending.promise;
  };
  const [first, second] = [limit(call), limit(call)];
  await expect(limit(call)).rejects.toBeInstanceOf(TooManyCalls);
  expect(started).toHaveLength(2);
  started[0]?.resolve();
  started[1]?.reject(new Error("failed"));
  await first;
  await expect(second).rejects.toThrow("failed");
  const third = limit(call);
  started[2]?.resolve();
  await third;
});
