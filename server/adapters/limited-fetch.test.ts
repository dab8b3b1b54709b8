import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { limitedFetch } from "./limited-fetch.ts";

test("an endless answer is aborted once it exceeds the maximum size", async () => {
  let sent = 0;
  const server = createServer((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(10_000))) sent += 10_000;
    };
    response.on("drain", more);
    more();
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const response = await limitedFetch(100_000)(url);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow("more than 100000 bytes");
  expect(sent).toBeLessThan(50_000_000);
  server.closeAllConnections();
  server.close();
});
