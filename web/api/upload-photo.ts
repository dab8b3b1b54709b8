import { z } from "zod";
import { CallError } from "#contract/client.ts";
import { errorBody } from "#contract/errors.ts";
import { getAccessToken } from "./access-token.ts";

const uploaded = z.object({ success: z.literal(true), data: z.object({ url: z.string() }) });

/**
 * Uploads a photo to an image host and returns its URL. `onProgress` gets the share sent, 0 to 1. Throws a
 * `CallError` for the field `photo`. Uses XMLHttpRequest because fetch reports no upload progress.
 */
export async function uploadPhoto(
  photo: File,
  address: string,
  onProgress: (share: number) => void,
): Promise<string> {
  const body = new FormData();
  body.append("image", photo);
  const request = new XMLHttpRequest();
  request.open("POST", address);
  request.setRequestHeader("authorization", `Bearer ${(await getAccessToken()) ?? ""}`);
  request.responseType = "json";
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
  await new Promise((done) => {
    request.onloadend = done;
    request.send(body);
  });
  const answer = uploaded.safeParse(request.response);
  if (answer.success) return answer.data.data.url;
  const { message, code } = errorBody.safeParse(request.response).data ?? unreachable;
  throw new CallError(request.status, { message, code, fields: { photo: message } });
}

const unreachable = {
  code: "UNREACHABLE",
  message: "We couldn't upload the photo. Check your connection and try again.",
};
