import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** An address of a database that closes the connection in place of the first answer that contains a text. */
export async function openLossyAddress(databaseUrl: string, text: string) {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
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
      if (lost === 0 && answer.includes(text)) {
        lost += 1;
        client.destroy();
      } else client.write(answer);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port: own } = server.address() as { port: number };
  return {
    url: Object.assign(new URL(databaseUrl), { port: String(own) }).href,
    /** Answers that were lost. */
    get lost() {
      return lost;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
