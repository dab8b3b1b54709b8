import {
  DeleteObjectCommand,
  GetObjectCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "./s3-server.ts";

const credentials = { accessKeyId: "an-id", secretAccessKey: "a secret" };
const Bucket = "photos";
let server: S3Server;

beforeAll(async () => {
  server = await startS3Server({ bucket: Bucket, region: "eu-north-1", credentials });
});
afterAll(() => server.close());

function clientWith(changes: S3ClientConfig = {}): S3Client {
  const { url: endpoint } = server;
  const fixed = { endpoint, region: "eu-north-1", forcePathStyle: true, maxAttempts: 1 };
  return new S3Client({ ...fixed, credentials, ...changes });
}

const codeOf = (work: Promise<unknown>) => work.then(String, (error: Error) => error.name);

test("the SDK can put, get and delete an object", async () => {
  const client = clientWith();
  const Key = "a key (1)/é+=&.txt";
  const Metadata = { a: "b  c" };
  await client.send(new PutObjectCommand({ Bucket, Key, Body: "some text", Metadata }));
  const got = await client.send(new GetObjectCommand({ Bucket, Key }));
  expect(await got.Body?.transformToString()).toBe("some text");
  expect(got.Metadata).toEqual(Metadata);
  await client.send(new DeleteObjectCommand({ Bucket, Key }));
  expect(await codeOf(client.send(new GetObjectCommand({ Bucket, Key })))).toBe("NoSuchKey");
});

describe("invalid signatures", () => {
  const put = () => new PutObjectCommand({ Bucket, Key: "refused", Body: "x" });
  const wrong: [string, S3ClientConfig, string][] = [
    ["secret", { credentials: { ...credentials, secretAccessKey: "b" } }, "SignatureDoesNotMatch"],
    ["access key", { credentials: { ...credentials, accessKeyId: "b" } }, "InvalidAccessKeyId"],
    ["region", { region: "us-east-1" }, "AuthorizationHeaderMalformed"],
    ["clock", { systemClockOffset: 3_600_000 }, "RequestTimeTooSkewed"],
  ];
  test.each(wrong)(
    "a request with the wrong %s is rejected and changes nothing",
    async (_, changes, code) => {
      expect(await codeOf(clientWith(changes).send(put()))).toBe(code);
      expect(server.objects.has("refused")).toBe(false);
    },
  );

  test("a request that was changed in transit, or has no signature, is rejected and changes nothing", async () => {
    const tampering = [
      (request: { body: unknown }) => (request.body = "y"),
      (request: { path: string }) => (request.path = `/${Bucket}/other`),
      ({ headers }: { headers: Record<string, string> }) => (headers["x-amz-acl"] = "public-read"),
      ({ headers }: { headers: Record<string, string> }) => delete headers.authorization,
    ];
    const codes = await Promise.all(
      tampering.map((tamper) => {
        const client = clientWith();
        client.middlewareStack.add(
          (next) => (args) => {
            tamper(args.request as never);
            return next(args);
          },
          { step: "finalizeRequest", priority: "low" },
        );
        return codeOf(client.send(put()));
      }),
    );
    expect(codes).toEqual([
      "XAmzContentSHA256Mismatch",
      "SignatureDoesNotMatch",
      "AccessDenied",
      "AccessDenied",
    ]);
    expect([server.objects.has("refused"), server.objects.has("other")]).toEqual([false, false]);
  });
});

test("a conditional PutObject does not replace an object", async () => {
  const put = (Body: string) =>
    clientWith().send(new PutObjectCommand({ Bucket, Key: "once", Body, IfNoneMatch: "*" }));
  await put("first");
  expect(await codeOf(put("second"))).toBe("PreconditionFailed");
  expect(server.objects.get("once")?.body.toString()).toBe("first");
});
