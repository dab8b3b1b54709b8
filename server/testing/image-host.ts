import { type ImageHostServer, startImageHost } from "#sandbox/image-host/image-host-server.ts";

const key = "a-key";

/** A stand-in for imgbb. `env` has the settings of a shop that uses it. */
export async function startHost(): Promise<ImageHostServer & { env: Record<string, string> }> {
  const host = await startImageHost({ key });
  return Object.assign(host, { env: { IMAGE_HOST_URL: host.url, IMAGE_HOST_KEY: key } });
}
