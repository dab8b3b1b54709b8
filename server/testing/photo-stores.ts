import { type ImageHostServer, startImageHost } from "#sandbox/image-host/image-host-server.ts";
import { type S3Server, startS3Server } from "#sandbox/s3/s3-server.ts";

const bucket = "photos";
/** The keys that the policy in docs/operations.md makes public. */
export const photosOnly = /^(?!private\/)./;
const credentials = { accessKeyId: "an-id", secretAccessKey: "a secret of S3" };

/** Starts a stand-in for S3. `env` has the settings of a shop that uses the stand-in. */
export async function startS3(): Promise<S3Server & { env: Record<string, string> }> {
  const server = await startS3Server({
    bucket,
    credentials,
    region: "us-east-1",
    publicKeys: photosOnly,
  });
  const env = {
    S3_ENDPOINT: server.url,
    S3_BUCKET: bucket,
    S3_ACCESS_KEY_ID: credentials.accessKeyId,
    S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    S3_PATH_STYLE: "1",
  };
  return Object.assign(server, { env });
}

const key = "a-key";

/** Starts a stand-in for imgbb. `env` has the settings of a shop that uses the stand-in. */
export async function startHost(): Promise<ImageHostServer & { env: Record<string, string> }> {
  const host = await startImageHost({ key });
  return Object.assign(host, { env: { IMAGE_HOST_URL: host.url, IMAGE_HOST_KEY: key } });
}
