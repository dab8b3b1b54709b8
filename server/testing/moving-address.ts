import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** Opens an address that can move to another server, like HAProxy's address or a virtual IP. */
export async function openMovingAddress(port: number) {
  let target = port;
  let losing: string | undefined;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on("data", (answer: Buffer) => {
      if (losing === undefined || !answer.includes(losing)) return client.write(answer);
      losing = undefined;
      client.destroy();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    port: (server.address() as { port: number }).port,
    /** Sends new connections to another port. Open connections stay. */
    moveTo(other: number) {
      target = other;
    },
    /** Closes a connection instead of sending the first answer that contains `text`. */
    loseAnswer(text: string) {
      losing = text;
    },
    get isLosing() {
      return losing !== undefined;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
