import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { Transform } from "node:stream";

/** `slow` forwards after `slowMs`. `cut off` closes the connection in the middle of a response. */
export const outages = ["down", "slow", "500", "HTML", "garbage", "other JSON", "cut off"] as const;
export type Outage = (typeof outages)[number];

export type OutageProxy = Awaited<ReturnType<typeof startOutageProxy>>;

type Options = {
  protocol: "http" | "smtp";
  slowMs: number;
  /** Whether to put the provider's own host into the Host header, as the sandbox requires. */
  replaceHost?: boolean;
};

export async function startOutageProxy({ protocol, slowMs, replaceHost = false }: Options) {
  let outage: Outage | undefined;
  let targetPort = 0;
  let accepted = 0;
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
  };
  const server = createServer((client) => {
    track(client);
    accepted += 1;
    if (outage === undefined || outage === "down") return forward(client);
    if (outage === "slow") {
      const timer = setTimeout(() => forward(client), slowMs).unref();
      return void client.on("close", () => clearTimeout(timer));
    }
    const answer = answers[protocol][outage];
    if (protocol === "smtp") return void client.end(answer);
    return void client.once("data", () => client.end(answer));
  });

  function forward(client: Socket): void {
    const provider = connect(targetPort, "127.0.0.1");
    track(provider);
    const sent = replaceHost
      ? client.pipe(replaceText(ownHost(), `127.0.0.1:${targetPort}`))
      : client;
    sent.pipe(provider).pipe(client);
    client.on("close", () => provider.destroy());
    provider.on("close", () => client.destroy());
  }

  const ownHost = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function listen(port: number): Promise<void> {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  }

  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    forwardTo(target: number | string) {
      targetPort = typeof target === "number" ? target : Number(new URL(target).port);
    },
    /** Starts an outage, or ends it if undefined. Closes open connections. */
    async set(next: Outage | undefined) {
      for (const socket of sockets) socket.destroy();
      if (next === "down" && server.listening) await new Promise((closed) => server.close(closed));
      outage = next;
      accepted = 0;
      if (next !== "down" && !server.listening) await listen(port);
    },
    /** Connections since the last call of `set`. */
    accepted: () => accepted,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Replaces text in a stream, if it arrives within one chunk, as headers do. */
function replaceText(from: string, to: string): Transform {
  return new Transform({
    transform: (chunk: Buffer, _, done) =>
      done(null, Buffer.from(chunk.toString("latin1").replace(from, to), "latin1")),
  });
}

type Answers = Record<Exclude<Outage, "down" | "slow">, string>;

const garbage = "\u0000\u0016\u0003\u0001 not what you asked for\r\n\r\n";
const page = "<!doctype html><title>Sign in to the Wi-Fi</title><h1>Sign in to the Wi-Fi</h1>";

const answers: Record<Options["protocol"], Answers> = {
  http: {
    "500": http("500 Internal Server Error", "application/json", '{"error":{"message":"Oops"}}'),
    HTML: http("200 OK", "text/html", page),
    garbage,
    "other JSON": http("200 OK", "application/json", '{"status":"ok"}'),
    "cut off": http("200 OK", "application/json", '{"status":"ok"}').slice(0, -3),
  },
  smtp: {
    "500": "500 5.3.0 Internal error\r\n",
    HTML: http("200 OK", "text/html", page),
    garbage,
    "other JSON": '{"status":"ok"}\r\n',
    "cut off": "22",
  },
};

function http(status: string, type: string, body: string): string {
  return [
    `HTTP/1.1 ${status}`,
    `content-type: ${type}`,
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
    "",
    body,
  ].join("\r\n");
}
