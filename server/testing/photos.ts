import { imageSrcset } from "#contract/image-sources.ts";
import { type Caller, uploadPhoto } from "./marketplace.ts";

export type Answered = { status: number; code?: string; message?: string; url: string };

/** `url` is empty if the server rejects the bytes. */
export async function sendPhoto(who: Caller, bytes: Buffer): Promise<Answered> {
  const answer = await uploadPhoto(who, bytes);
  const { code, message, data } = (await answer.json()) as {
    code?: string;
    message?: string;
    data?: { url: string };
  };
  const refusal = { ...(code && { code }), ...(message && { message }) };
  return { status: answer.status, ...refusal, url: data?.url ?? "" };
}

export async function storedVersions(url: string): Promise<Response[]> {
  const sized = imageSrcset(url)?.split(", ") ?? [];
  return await Promise.all(
    [url, ...sized.map((one) => one.split(" ")[0] ?? "")].map((one) => fetch(one)),
  );
}
