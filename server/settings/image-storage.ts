import { z } from "zod";
import { text, webAddress } from "./fields.ts";
import { isLoopback } from "./production-checks.ts";

const aBucket = "must be the name of a bucket, such as secondlap-photos";

/** Settings for S3 or a server with the same API (decisions/photos). */
export const s3Fields = {
  S3_ENDPOINT: webAddress.optional(),
  S3_REGION: text.optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{1,62}$/, aBucket)
    .optional(),
  S3_ACCESS_KEY_ID: text.optional(),
  S3_SECRET_ACCESS_KEY: text.optional(),
  S3_PATH_STYLE: z.enum(["0", "1"]).optional(),
  S3_PUBLIC_URL: webAddress.optional(),
};

/** Settings for an image host that browsers upload to (decisions/image-host). */
export const imageHostFields = {
  IMAGE_HOST_URL: webAddress.optional(),
  IMAGE_HOST_KEY: text.optional(),
  IMAGE_HOST_DELIVERY: z.hostname("must be a host name, such as i.ibb.co").optional(),
};

type ImageHostFields = z.output<z.ZodObject<typeof imageHostFields>>;

type S3Fields = z.output<z.ZodObject<typeof s3Fields>>;

export function s3Problems(set: S3Fields): string[] {
  const isSet = Object.keys(s3Fields).some((name) => set[name as keyof S3Fields] !== undefined);
  if (!isSet) return [];
  const required = ["S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;
  const missing = required.filter((name) => set[name] === undefined);
  const problems = missing.map(
    (name) => `${name} must be set to store photos in S3. To store them on disk, unset S3_*.`,
  );
  if (set.S3_ENDPOINT === undefined && set.S3_REGION === undefined)
    problems.push("S3_REGION must be set for Amazon S3, or S3_ENDPOINT for another server.");
  return problems;
}

export function s3Connection(set: S3Fields) {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = set;
  if (!bucket || !S3_ACCESS_KEY_ID || !S3_SECRET_ACCESS_KEY) return undefined;
  return {
    endpoint: set.S3_ENDPOINT,
    region: set.S3_REGION ?? "us-east-1",
    bucket,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
    pathStyle: set.S3_PATH_STYLE === "1",
    /** The URL that pages load photos from, without a trailing slash. If unset, this server's. */
    publicUrl: set.S3_PUBLIC_URL?.replace(/\/+$/, ""),
  };
}

export function imageHostProblems(set: ImageHostFields & S3Fields, production: boolean): string[] {
  const { IMAGE_HOST_URL: url, IMAGE_HOST_KEY: key, IMAGE_HOST_DELIVERY: delivery } = set;
  if (url === undefined && key === undefined && delivery === undefined) return [];
  if (url === undefined || key === undefined)
    return [
      "IMAGE_HOST_URL and IMAGE_HOST_KEY go together: set both, or neither to store photos here.",
    ];
  const problems = [];
  if (url.startsWith("http:") && (production || !isLoopback(new URL(url).hostname)))
    problems.push("IMAGE_HOST_URL must begin with https: photos on the way could be replaced.");
  if (set.S3_BUCKET !== undefined)
    problems.push(
      "IMAGE_HOST_URL and S3_BUCKET are both set: photos can go to one of them only. Unset the settings of the other.",
    );
  return problems;
}

export function imageHostConnection(set: ImageHostFields) {
  const { IMAGE_HOST_URL, IMAGE_HOST_KEY: key, IMAGE_HOST_DELIVERY: delivery } = set;
  if (!IMAGE_HOST_URL || !key) return undefined;
  const { origin, protocol, hostname } = new URL(IMAGE_HOST_URL);
  return {
    url: IMAGE_HOST_URL.replace(/\/+$/, ""),
    key,
    origins: delivery === undefined ? [origin] : [origin, `https://${delivery}`],
    local: protocol === "http:" && isLoopback(hostname),
  };
}
