import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** Throws an error with instructions if we can't listen on the port. Port 0 is always free. */
export async function requireFreePort(
  setting: string,
  { host, port }: { host: string; port: number },
): Promise<void> {
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, "listening");
  } catch (error) {
    throw new Error(explain(setting, { host, port, code: (error as NodeJS.ErrnoException).code }), {
      cause: error,
    });
  } finally {
    probe.close();
  }
}

/** Returns a free port for `PORT=0`. URLs and webhooks need the port before the server listens. */
export async function chooseFreePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

function explain(
  setting: string,
  { host, port, code }: { host: string; port: number; code: string | undefined },
): string {
  if (code === "EADDRINUSE") {
    return `Port ${port} is in use. Stop what uses it, or choose another: ${setting}=${port + 10} npm start`;
  }
  if (code === "EACCES")
    return `Port ${port} needs more rights than we have. Choose one above 1024: ${setting}=3000 npm start`;
  return `We can't listen on ${host}:${port} (${code}). Check HOST and ${setting}.`;
}
