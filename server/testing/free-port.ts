import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createConnection } from "node:net";

/** Finds a free port below the ephemeral range, whose ports could be taken before they are used. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 30_000);
  return (await isListening(port)) ? await freePort() : port;
}

export async function isListening(port: number): Promise<boolean> {
  const socket = createConnection({ host: "127.0.0.1", port });
  const open = once(socket, "connect").then(
    () => true,
    () => false,
  );
  return await open.finally(() => socket.destroy());
}
