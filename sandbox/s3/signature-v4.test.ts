import { expect, test } from "vitest";
import { decodeChunks } from "./aws-chunked.ts";
import { canonicalRequest, sign } from "./signature-v4.ts";
import {
  chunkedBody,
  chunkedVector,
  decodedBody,
  s3Examples,
  s3Vectors,
  testSuite,
  testSuiteVectors,
  trailerBody,
  trailerVector,
  type Vector,
} from "./testing/published-vectors.ts";
import { verifyRequest } from "./verify-request.ts";

function signatureOf({ headers, ...vector }: Vector, key: typeof testSuite | typeof s3Examples) {
  const signedHeaders = [...new Set(headers.map(([name]) => name.toLowerCase()))].sort();
  const canonical = canonicalRequest(
    { ...vector, headers: headers.flat() },
    { ...vector, signedHeaders },
  );
  return sign(canonical, key);
}

test.each(testSuiteVectors)("a signature matches AWS's test suite: $name", (vector) => {
  expect(signatureOf(vector, testSuite)).toBe(vector.signature);
});

test.each(s3Vectors)("a signature matches the S3 API reference: $name", (vector) => {
  expect(signatureOf(vector, s3Examples)).toBe(vector.signature);
});

const { accessKeyId, secretAccessKey, scope } = s3Examples;
const chunkedExamples = [
  { vector: chunkedVector, body: chunkedBody },
  { vector: trailerVector, body: trailerBody },
];

function verify({ method, url, headers, signature }: Vector, body: Buffer) {
  const signedHeaders = headers.map(([name]) => name.toLowerCase()).sort();
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join("/")},SignedHeaders=${signedHeaders.join(";")},Signature=${signature}`;
  return verifyRequest(
    { method, url, headers: [...headers.flat(), "Authorization", authorization], body },
    {
      credentials: { accessKeyId, secretAccessKey },
      region: "us-east-1",
      now: new Date("2013-05-24T00:10:00Z"),
    },
  );
}

test.each(chunkedExamples)("AWS sample chunks are accepted: $vector.name", ({ vector, body }) => {
  expect(verify(vector, body).equals(decodedBody)).toBe(true);
});

test.each(chunkedExamples)(
  "changed, missing and swapped chunks are rejected: $vector.name",
  (example) => {
    const { vector, body } = example;
    const text = body.toString("latin1");
    const refused = (changed: string) =>
      expect(() => verify(vector, Buffer.from(changed, "latin1")));
    refused(text.replace("aaa\r\n400", "aab\r\n400")).toThrow("signature");
    refused(text.replace(/400;.*?\r\na{1024}\r\n/s, "")).toThrow("signature");
    refused(text.replace(/^(10000;.*?\r\na{65536}\r\n)(400;.*?\r\na{1024}\r\n)/s, "$2$1")).toThrow(
      "signature",
    );
    refused(text.slice(0, 70_000 - 5_000)).toThrow("terminated unexpectedly");
  },
);

test("a wrong trailing checksum is rejected, whether signed or unsigned", () => {
  const wrong = trailerBody.toString("latin1").replace("sOO8/Q==", "AAAAAA==");
  expect(() => verify(trailerVector, Buffer.from(wrong, "latin1"))).toThrow("signature");
  const unsigned = wrong.replaceAll(/;chunk-signature=\w+|x-amz-trailer-signature:.*?\r\n/g, "");
  expect(() => decodeChunks(Buffer.from(unsigned, "latin1"), undefined)).toThrow("checksum");
  const right = unsigned.replace("AAAAAA==", "sOO8/Q==");
  expect(decodeChunks(Buffer.from(right, "latin1"), undefined).equals(decodedBody)).toBe(true);
});
