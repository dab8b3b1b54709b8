import { createServer } from "node:http";
import { expect, test } from "vitest";
import { listen } from "../testing/free-port.ts";
import { limitCalls, limitedFetch, TooManyCalls } from "./limit-calls.ts";

test("calls beyond the concurrency limit are rejected until a running call finishes or fails", async () => {
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

test("an endless response is aborted when it exceeds the maximum size", async () => {
  let sent = 0;
  const server = createServer((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(10_000))) sent += 10_000;
    };
    response.on("drain", more);
    more();
  });
  const response = await limitedFetch(100_000)(`http://127.0.0.1:${await listen(server)}`);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow("more than 100000 bytes");
  expect(sent).toBeLessThan(50_000_000);
  server.closeAllConnections();
  server.close();
});
