import { sha256 } from "../signature-v4.ts";

/** AWS publishes the signature. The signed headers are sorted by name. */
export type Vector = {
  name: string;
  method: string;
  url: string;
  headers: [string, string][];
  /** The last line of the canonical request: a hash, or a keyword that S3 accepts instead. */
  payloadHash: string;
  signature: string;
};

/** AWS Signature Version 4 Test Suite (docs.aws.amazon.com, IAM User Guide). */
export const testSuite = {
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  scope: ["20150830", "us-east-1", "service", "aws4_request"],
  at: "20150830T123600Z",
} as const;

const unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const suiteHeaders: [string, string][] = [
  ["Host", "example.amazonaws.com"],
  ["X-Amz-Date", testSuite.at],
];

function suite(
  name: string,
  url: string,
  signature: string,
  { method = "GET", headers = [] as [string, string][], body = "" } = {},
): Vector {
  const all = [...suiteHeaders, ...headers];
  return { name, method, url, headers: all, payloadHash: sha256(body), signature };
}

export const testSuiteVectors: Vector[] = [
  suite("get-vanilla", "/", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
  suite(
    "get-utf8",
    "/%E1%88%B4",
    "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85",
  ),
  suite(
    "get-unreserved",
    `/${unreserved}`,
    "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
  ),
  suite(
    "get-vanilla-query-order-key-case",
    "/?Param2=value2&Param1=value1",
    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
  ),
  suite(
    "get-vanilla-query-unreserved",
    `/?${unreserved}=${unreserved}`,
    "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197",
  ),
  suite(
    "get-vanilla-utf8-query",
    "/?%E1%88%B4=bar",
    "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04",
  ),
  suite(
    "get-header-key-duplicate",
    "/",
    "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea",
    {
      headers: [
        ["My-Header1", "value2"],
        ["My-Header1", "value2"],
        ["My-Header1", "value1"],
      ],
    },
  ),
  suite(
    "get-header-value-trim",
    "/",
    "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736",
    {
      headers: [
        ["My-Header1", " value1"],
        ["My-Header2", ' "a   b   c"'],
      ],
    },
  ),
  suite("post-vanilla", "/", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b", {
    method: "POST",
  }),
  suite(
    "post-x-www-form-urlencoded",
    "/",
    "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
    {
      method: "POST",
      headers: [["Content-Type", "application/x-www-form-urlencoded"]],
      body: "Param1=value1",
    },
  ),
];

// Amazon S3 API Reference: sig-v4-header-based-auth, sigv4-streaming, sigv4-streaming-trailers.
export const s3Examples = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  scope: ["20130524", "us-east-1", "s3", "aws4_request"],
  at: "20130524T000000Z",
} as const;

function s3(
  name: string,
  [method, url]: [string, string],
  signature: string,
  headers: Record<string, string> = {},
): Vector {
  const payloadHash = headers["x-amz-content-sha256"] ?? sha256("");
  const all = {
    Host: "examplebucket.s3.amazonaws.com",
    "x-amz-content-sha256": payloadHash,
    "x-amz-date": s3Examples.at,
    ...headers,
  };
  return { name, method, url, headers: Object.entries(all), payloadHash, signature };
}

const chunked = {
  Host: "s3.amazonaws.com",
  "x-amz-storage-class": "REDUCED_REDUNDANCY",
  "Content-Encoding": "aws-chunked",
  "x-amz-decoded-content-length": "66560",
};
const chunkedPath: [string, string] = ["PUT", "/examplebucket/chunkObject.txt"];

export const chunkedVector = s3(
  "PUT Object in chunks",
  chunkedPath,
  "4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9",
  {
    ...chunked,
    "Content-Length": "66824",
    "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD",
  },
);

export const trailerVector = s3(
  "PUT Object in chunks with a trailing checksum",
  chunkedPath,
  "106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e",
  {
    ...chunked,
    "x-amz-content-sha256": "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
    "x-amz-trailer": "x-amz-checksum-crc32c",
  },
);

export const s3Vectors: Vector[] = [
  s3(
    "GET Object",
    ["GET", "/test.txt"],
    "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    { Range: "bytes=0-9" },
  ),
  s3(
    "PUT Object",
    ["PUT", "/test$file.text"],
    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
    {
      Date: "Fri, 24 May 2013 00:00:00 GMT",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
      "x-amz-content-sha256": sha256("Welcome to Amazon S3."),
    },
  ),
  s3(
    "GET Bucket Lifecycle",
    ["GET", "/?lifecycle"],
    "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  ),
  s3(
    "GET Bucket (List Objects)",
    ["GET", "/?max-keys=2&prefix=J"],
    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  ),
  chunkedVector,
  trailerVector,
];

/** The last two examples send 66,560 letters "a", in chunks of 64 KB and 1 KB. */
const letters = (count: number) => "a".repeat(count);
export const decodedBody = Buffer.from(letters(66_560));

export const chunkedBody = chunksOf([
  "ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648",
  "0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497",
  "b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9",
]);

export const trailerBody = chunksOf(
  [
    "b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2",
    "1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7",
    "2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992",
  ],
  "x-amz-checksum-crc32c:sOO8/Q==\r\nx-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435\r\n",
);

function chunksOf([first, second, last]: [string, string, string], trailer = ""): Buffer {
  return Buffer.from(
    `10000;chunk-signature=${first}\r\n${letters(65_536)}\r\n` +
      `400;chunk-signature=${second}\r\n${letters(1_024)}\r\n` +
      `0;chunk-signature=${last}\r\n${trailer}\r\n`,
  );
}
