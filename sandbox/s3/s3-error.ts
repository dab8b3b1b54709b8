// https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
const errors = {
  AccessDenied: [403, "Access Denied"],
  AuthorizationHeaderMalformed: [400, "The authorization header is malformed."],
  InternalError: [500, "We encountered an internal error. Please try again."],
  InvalidAccessKeyId: [403, "The AWS Access Key Id you provided does not exist in our records."],
  MethodNotAllowed: [405, "The specified method is not allowed against this resource."],
  NoSuchBucket: [404, "The specified bucket does not exist."],
  NoSuchKey: [404, "The specified key does not exist."],
  NotImplemented: [501, "A header you provided implies functionality that is not implemented."],
  PreconditionFailed: [412, "At least one of the pre-conditions you specified did not hold"],
  RequestTimeTooSkewed: [
    403,
    "The difference between the request time and the server's time is too large.",
  ],
  SignatureDoesNotMatch: [
    403,
    "The request signature we calculated does not match the signature you provided.",
  ],
  XAmzContentSHA256Mismatch: [
    400,
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  ],
} as const satisfies Record<string, [number, string]>;

type S3ErrorCode = keyof typeof errors;

export class S3Error extends Error {
  readonly code: S3ErrorCode;
  readonly status: number;

  constructor(code: S3ErrorCode) {
    const [status, message] = errors[code];
    super(message);
    this.code = code;
    this.status = status;
  }

  get xml(): string {
    return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${this.code}</Code><Message>${this.message}</Message></Error>`;
  }
}
