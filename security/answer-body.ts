type Answer = { headers: Record<string, unknown>; rawPayload: Buffer; body: string };

/** Parsed JSON, or a file with the response's media type. */
export function answerBody({ headers, rawPayload, body }: Answer): unknown {
  const type = String(headers["content-type"]);
  if (type.startsWith("application/json")) return JSON.parse(body);
  return new File([new Uint8Array(rawPayload)], "answer", { type });
}
