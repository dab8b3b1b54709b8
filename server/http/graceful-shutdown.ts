import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    /** Makes load balancers avoid this node: `/readyz` fails, and responses close connections. */
    drain(): void;
    isDraining(): boolean;
  }
}

/**
 * Waits up to 10 s for requests in flight, but not for those whose client has gone. Node would wait
 * a minute for idle connections.
 */
export function enableGracefulShutdown(app: FastifyInstance, timeoutMs = 10_000): void {
  let draining = false;
  app.decorate("isDraining", () => draining);
  app.decorate("drain", () => {
    draining = true;
    // Otherwise a load balancer might send a request on a keep-alive connection just as it closes.
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
  app.addHook("onRequest", (_request, { raw }, done) => {
    inFlight += 1;
    // `onResponse` doesn't run for an event stream that the browser has closed.
    raw.once("close", () => {
      inFlight -= 1;
    });
    done();
  });
  app.addHook("preClose", async () => {
    void untilIdle().then(() => app.server.closeAllConnections());
  });

  /** Whether a slow client is still receiving a cached response. No hook counts such responses. */
  function areSending(): boolean {
    return [...sockets].some(({ writableLength }) => writableLength > 0);
  }

  async function untilIdle(): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while ((inFlight > 0 || areSending()) && Date.now() < deadline) await wait(20);
  }
}
