import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

const timeoutMs = 10_000;

declare module "fastify" {
  interface FastifyInstance {
    /** Makes load balancers leave: `/readyz` says 503, and each answer ends its connection. */
    drain(): void;
    isDraining(): boolean;
  }
}

/** Waits for the requests in flight, then closes idle connections, for which Node would wait a minute. */
export function enableGracefulShutdown(app: FastifyInstance): void {
  let draining = false;
  app.decorate("isDraining", () => draining);
  app.decorate("drain", () => {
    draining = true;
    // A load balancer that kept its connection might send the next request just when it is closed.
    app.server.prependListener("request", (_request, response) => {
      response.shouldKeepAlive = false;
    });
  });
  let inFlight = 0;
  const sockets = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  app.addHook("onRequest", (_request, _reply, done) => {
    inFlight += 1;
    done();
  });
  app.addHook("onResponse", (_request, _reply, done) => {
    inFlight -= 1;
    done();
  });
  app.addHook("preClose", async () => {
    void untilIdle().then(() => app.server.closeAllConnections());
  });

  /** Whether a slow client has yet to receive a cached response, which no hook counts. */
  function areSending(): boolean {
    return [...sockets].some(({ writableLength }) => writableLength > 0);
  }

  async function untilIdle(): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while ((inFlight > 0 || areSending()) && Date.now() < deadline) await wait(20);
  }
}
