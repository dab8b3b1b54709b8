import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";

/** What is delivered: who it is for, and the message as it came, one character a byte. */
export type Delivery = { to: string[]; raw: string };

type Deliver = (delivery: Delivery) => void;

const mostBytes = 1024 * 1024;

/**
 * Listens for mail on a free port, for programs of this machine alone: RFC 5321, as much of it as a
 * shop's client speaks. What `deliver` has not kept is not answered for.
 */
export async function listenForMail(deliver: Deliver) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.setTimeout(60_000, () => socket.destroy());
    void converse(socket, deliver).catch((error: Error) => socket.destroy(error));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port for mail.");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

type Envelope = { from: string | undefined; to: string[] };

async function converse(socket: Socket, deliver: Deliver): Promise<void> {
  const input = createInterface({ input: socket.setEncoding("latin1"), crlfDelay: Infinity });
  const lines = input[Symbol.asyncIterator]();
  const say = (answer: string) => socket.write(`${answer}\r\n`);
  let envelope: Envelope = { from: undefined, to: [] };

  say("220 sandbox");
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const [, verb = "", rest = ""] = /^(\w+) ?(.*)$/.exec(line.value) ?? [];
    const answer = answers[verb.toUpperCase()] ?? (() => "502 Not understood");
    const answered = answer(envelope, rest);
    say(answered);
    if (answered.startsWith("221")) break;
    if (answered.startsWith("354")) {
      const raw = await readData(lines);
      if (raw !== undefined) deliver({ to: envelope.to, raw });
      say(raw === undefined ? "552 That is too much" : "250 Kept");
      envelope = { from: undefined, to: [] };
    }
  }
  socket.end();
}

/** What is answered to each command, and what it changes. */
const answers: Record<string, (envelope: Envelope, rest: string) => string> = {
  EHLO: () => "250-sandbox\r\n250 8BITMIME",
  HELO: () => "250 sandbox",
  NOOP: () => "250 OK",
  QUIT: () => "221 Bye",
  RSET(envelope) {
    Object.assign(envelope, { from: undefined, to: [] });
    return "250 OK";
  },
  MAIL(envelope, rest) {
    envelope.from = addressIn(rest);
    return envelope.from === undefined ? "501 Say MAIL FROM:<address>" : "250 OK";
  },
  RCPT(envelope, rest) {
    const address = addressIn(rest);
    if (envelope.from === undefined) return "503 Say MAIL first";
    if (!address) return "501 Say RCPT TO:<address>";
    envelope.to.push(address);
    return "250 OK";
  },
  DATA: ({ to }) => (to.length > 0 ? "354 End with a line of one dot" : "503 Say RCPT first"),
};

function addressIn(text: string): string | undefined {
  return /<([^<>]*)>/.exec(text)?.[1];
}

/** The message up to the line of one dot; nothing where it is too much. Throws where it breaks off. */
async function readData(lines: AsyncIterator<string>): Promise<string | undefined> {
  const read: string[] = [];
  let size = 0;
  for (let line = await lines.next(); line.value !== "."; line = await lines.next()) {
    if (line.done) throw new Error("The message broke off.");
    size += line.value.length + 2;
    if (size <= mostBytes) read.push(`${line.value.replace(/^\./, "")}\r\n`);
  }
  return size <= mostBytes ? read.join("") : undefined;
}
