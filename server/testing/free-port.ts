import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createConnection, type Server } from "node:net";

/**
 * Finds adjacent free ports, and returns the first. They are below the ephemeral range, whose ports
 * could be taken before they are used. No other caller on this machine gets them.
 */
export async function freePort(count = 1): Promise<number> {
  const first = randomInt(20_000, 30_000);
  const ports = Array.from({ length: count }, (_, n) => first + n);
  const free = await Promise.all(ports.map(async (port) => await reserve(port)));
  return free.every(Boolean) ? first : await freePort(count);
}

/** Reserves a free port with a UDP socket on it, until this process ends. */
async function reserve(port: number): Promise<boolean> {
  const socket = createSocket("udp4").unref();
  socket.bind({ port, address: "127.0.0.1", exclusive: true });
  const reserved = once(socket, "listening").then(
    () => true,
    () => false,
  );
  return (await reserved) && !(await isListening(port));
}

/** Makes the server listen on any free port. Returns the port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

export async function isListening(port: number): Promise<boolean> {
  const socket = createConnection({ host: "127.0.0.1", port });
  const open = once(socket, "connect").then(
    () => true,
    () => false,
  );
  return await open.finally(() => socket.destroy());
}
