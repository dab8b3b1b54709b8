import { z } from "zod";
import { CallError } from "#contract/client.ts";
import { errorBody } from "#contract/errors.ts";
import { getAccessToken } from "./access-token.ts";

const uploaded = z.object({ success: z.literal(true), data: z.object({ url: z.string() }) });

/** imgbb's answer to a rejected upload. */
const hostRefusal = z.object({ error: z.object({ message: z.string().min(1) }) });

/** The timeout for uploads to another host. */
const timeoutMs = 60_000;

/**
 * `onProgress` gets the share sent, from 0 to 1, or undefined if unknown. Throws a `CallError` for
 * the field `photo`. Uses XMLHttpRequest because fetch reports no upload progress.
 */
export async function uploadPhoto(
  photo: File,
  address: string,
  onProgress: (share: number | undefined) => void,
): Promise<string> {
  const body = new FormData();
  body.append("image", photo);
  const request = new XMLHttpRequest();
  request.open("POST", address);
  request.responseType = "json";
  if (new URL(address, location.href).origin === location.origin) {
    request.setRequestHeader("authorization", `Bearer ${(await getAccessToken()) ?? ""}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
  } else {
    // Only our own host gets our token. A progress listener would cause a CORS preflight.
    request.timeout = timeoutMs;
    onProgress(undefined);
  }
  await new Promise((done) => {
    request.onloadend = done;
    request.send(body);
  });
  const answer = uploaded.safeParse(request.response);
  if (answer.success) return answer.data.data.url;
  const { message, code } = refusalIn(request.response);
  throw new CallError(request.status, { message, code, fields: { photo: message } });
}

function refusalIn(response: unknown): { message: string; code: string } {
  const host = hostRefusal.safeParse(response).data;
  if (!host) return errorBody.safeParse(response).data ?? unreachable;
  const message = `The image host did not take the photo. Its answer: ${host.error.message}`;
  return { message, code: "IMAGE_HOST" };
}

const unreachable = {
  code: "UNREACHABLE",
  message: "We couldn't upload the photo. Check your connection and try again.",
};
