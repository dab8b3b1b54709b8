import type { ApiResponse } from "./errors.ts";

/** Thrown before anything is written, to return an error of API version 2. */
export class V2Error extends Error {
  readonly response: ApiResponse;

  constructor(status: number, error: { code: string; message: string; doc_url?: string }) {
    super(error.message);
    this.response = { status, body: { error } };
  }
}

export function badRequest(code: string, message: string): V2Error {
  return new V2Error(400, { code, message });
}

export function notFound(message: string): V2Error {
  return new V2Error(404, { code: "not_found", message });
}
