import { queryOptions } from "@tanstack/react-query";
import { CallError, unreachable } from "#contract/client.ts";
import { errorBody } from "#contract/errors.ts";
import {
  type PrivatePhoto,
  type photoSizes,
  readPrivatePhoto,
  uploadPrivatePhoto,
} from "#contract/private-photos.ts";
import { getAccessToken } from "./access-token.ts";

/** Throws a `CallError`. */
export async function sendPrivatePhoto(file: File): Promise<PrivatePhoto> {
  const body = new FormData();
  body.append("image", file);
  const answer = await ask(`/api${uploadPrivatePhoto.path}`, { method: "POST", body });
  return ((await answer.json()) as { photo: PrivatePhoto }).photo;
}

/** Query options that fetch a private photo, because an `<img>` can't send the access token. */
export function privatePhotoQuery(id: string, size: (typeof photoSizes)[number]) {
  return queryOptions({
    queryKey: [readPrivatePhoto.path, id, size],
    queryFn: async () =>
      await (await ask(`/api${readPrivatePhoto.path.replace("{id}", id)}?size=${size}`, {})).blob(),
    staleTime: Number.POSITIVE_INFINITY,
    meta: { personal: true },
  });
}

async function ask(address: string, request: RequestInit): Promise<Response> {
  const headers = { authorization: `Bearer ${(await getAccessToken()) ?? ""}` };
  const answer = await fetch(address, { ...request, headers }).catch(unreachable);
  if (answer.ok) return answer;
  const refusal = errorBody.safeParse(await answer.json().catch(() => undefined)).data;
  if (!refusal) return unreachable();
  throw new CallError(answer.status, refusal);
}
