import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export type TestSmtpServer = Awaited<ReturnType<typeof startTestSmtpServer>>;

/** Starts a server with a self-signed certificate. The only login is `shop`, `secret`. */
export async function startTestSmtpServer(options: SMTPServerOptions = {}) {
  const smtp = new SMTPServer({
    authOptional: true,
    // Otherwise, clients would use STARTTLS and reject the self-signed certificate.
    hideSTARTTLS: true,
    closeTimeout: 1,
    onConnect(_, done) {
      server.connections += 1;
      done();
    },
    onAuth({ username, password }, { secure }, done) {
      server.logins.push({ username, secure });
      const isRight = username === "shop" && password === "secret";
      done(isRight ? null : new Error("Wrong password"), isRight ? { user: username } : undefined);
    },
    onRcptTo(_, __, done) {
      const { refusal } = server;
      done(refusal && Object.assign(new Error(refusal.message), refusal));
    },
    onData(stream, _, done) {
      let text = "";
      stream.on("data", (chunk) => (text += chunk));
      stream.on("end", () => {
        server.messages.push(text);
        server.accepted.push(/^Subject: (.*?)\r$/m.exec(text)?.[1] ?? "");
        done();
      });
    },
    ...options,
  });
  const sockets = new Set<{ destroy(): void }>();
  smtp.server.on("connection", (socket) => sockets.add(socket));
  smtp.on("error", () => {});
  smtp.listen(0, "127.0.0.1");
  await once(smtp.server, "listening");
  const server = {
    port: (smtp.server.address() as AddressInfo).port,
    connections: 0,
    /** Subjects of the accepted emails. */
    accepted: [] as string[],
    /** The accepted emails as they arrived, with headers. */
    messages: [] as string[],
    logins: [] as { username: string | undefined; secure: boolean }[],
    /** The reply that rejects the next recipients. If undefined, they are accepted. */
    refusal: undefined as { responseCode: number; message: string } | undefined,
    disconnectClients() {
      for (const socket of sockets) socket.destroy();
    },
    close: () => new Promise<void>((resolve) => smtp.close(resolve)),
  };
  return server;
}
