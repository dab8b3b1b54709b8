import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createConnection } from "node:net";

/**
 * A port of this machine that nobody listens at, below those that systems give out by themselves: one of those
 * could be gone before it is used, or between two starts.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 30_000);
  return (await isListening(port)) ? await freePort() : port;
}

/** Whether somebody listens at this port of this machine. */
export async function isListening(port: number): Promise<boolean> {
  const socket = createConnection({ host: "127.0.0.1", port });
  const open = once(socket, "connect").then(
    () => true,
    () => false,
  );
  return await open.finally(() => socket.destroy());
}
