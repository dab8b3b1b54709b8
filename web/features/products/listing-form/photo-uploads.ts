import { useEffect, useState } from "react";
import type { Area } from "react-easy-crop";
import type { UseFormReturn } from "react-hook-form";
import { CallError } from "#contract/client.ts";
import { readConfig } from "#contract/config.ts";
import { queryOf } from "#web/api/api.ts";
import { browserQueries } from "#web/api/query-client.ts";
import { uploadPhoto } from "#web/api/upload-photo.ts";
import { shrinkPhoto } from "#web/ui/shrink-photo.ts";
import type { ProductForm } from "./product-form.ts";

/** `area` is the crop; null if unknown, as for a photo that was never the cover. */
type ChosenPhoto = { file: File; area: Area | null };

export type LaptopPhoto = ChosenPhoto | { img: string };

export type Picture = { id: string; photo: LaptopPhoto } & (
  | { status: "uploaded"; img: string }
  | { status: "waiting" }
  /** `progress` is the uploaded share of the photo, 0 to 1, if known. */
  | { status: "sending"; progress: number | undefined }
  | { status: "failed"; message: string }
);

export type PictureUploads = ReturnType<typeof createPictureUploads>;

const sendAgain = "Some pictures aren't uploaded. Try them again, or remove them.";
const twice = "You have this picture already.";

/** Uploads the photos when they are added, one at a time. */
export function createPictureUploads(upload: typeof uploadPicture, addresses: readonly string[]) {
  let pictures: readonly Picture[] = addresses.map((img) => pictureOf({ img }));
  let sending: Promise<void> | undefined;
  const listeners = new Set<() => void>();
  const change = (next: readonly Picture[]) => {
    pictures = next;
    for (const listener of listeners) listener();
  };
  // Finds the picture by its photo, because another photo may have replaced the uploaded one.
  const update = (photo: LaptopPhoto, state: Partial<Picture>) =>
    change(pictures.map((one) => (one.photo === photo ? ({ ...one, ...state } as Picture) : one)));
  const send = async (photo: ChosenPhoto) => {
    update(photo, { status: "sending", progress: 0 });
    try {
      const img = await upload(photo, (progress) => update(photo, { progress }));
      const isKnown = pictures.some((one) => one.status === "uploaded" && one.img === img);
      update(photo, isKnown ? { status: "failed", message: twice } : done(img));
    } catch (error) {
      update(photo, { status: "failed", message: (error as Error).message });
    }
  };
  const sendAll = async () => {
    for (let next = firstWaiting(pictures); next; next = firstWaiting(pictures)) await send(next);
    sending = undefined;
  };
  const sendWaiting = () => {
    if (firstWaiting(pictures)) sending ??= sendAll();
  };
  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    list: () => pictures,
    add(files: readonly File[]) {
      change([...pictures, ...files.map((file) => pictureOf({ file, area: null }))]);
      sendWaiting();
    },
    retry(id: string) {
      change(pictures.map((one) => (one.id === id ? { ...one, ...waiting } : one)));
      sendWaiting();
    },
    remove: (id: string) => change(pictures.filter((one) => one.id !== id)),
    /** A negative `by` moves the picture toward the front. */
    move(id: string, by: number) {
      const at = pictures.findIndex((one) => one.id === id);
      const moved = pictures[at];
      if (!moved) return;
      const others = pictures.filter((one) => one !== moved);
      change(others.toSpliced(Math.max(0, at + by), 0, moved));
    },
    replace(id: string, photo: LaptopPhoto) {
      change(pictures.map((one) => (one.id === id ? pictureOf(photo, id) : one)));
      sendWaiting();
    },
    /** Resolves once all uploads are done. Throws if one has failed. */
    async addresses(): Promise<string[]> {
      while (sending) await sending;
      if (pictures.some(({ status }) => status === "failed"))
        throw new CallError(0, {
          code: "UNREACHABLE",
          message: sendAgain,
          fields: { pictures: sendAgain },
        });
      return uploadedOf(pictures);
    },
  };
}

function uploadedOf(pictures: readonly Picture[]): string[] {
  return pictures.flatMap((one) => (one.status === "uploaded" ? [one.img] : []));
}

const waiting = { status: "waiting" } as const;

function done(img: string) {
  return { status: "uploaded", img } as const;
}

function pictureOf(photo: LaptopPhoto, id: string = crypto.randomUUID()): Picture {
  return { id, photo, ...("img" in photo ? done(photo.img) : waiting) };
}

function firstWaiting(pictures: readonly Picture[]): ChosenPhoto | undefined {
  const next = pictures.find(({ status }) => status === "waiting");
  return next && !("img" in next.photo) ? next.photo : undefined;
}

/** Copies the URLs of uploaded pictures into the form. */
export function usePictureUploads(
  form: Pick<UseFormReturn<ProductForm>, "getValues" | "setValue" | "clearErrors">,
): PictureUploads {
  const { getValues, setValue, clearErrors } = form;
  const [uploads] = useState(() =>
    createPictureUploads(uploadPicture, getValues("pictures") ?? []),
  );
  useEffect(
    () =>
      uploads.subscribe(() => {
        setValue("pictures", uploadedOf(uploads.list()));
        clearErrors("pictures");
      }),
    [uploads, setValue, clearErrors],
  );
  return uploads;
}

type Progress = (share: number | undefined) => void;

/** Resolves to the photo's URL. `onProgress` gets the uploaded share, if known. */
export async function uploadListingPhoto(
  photo: LaptopPhoto,
  onProgress: Progress,
): Promise<string> {
  if ("img" in photo) return photo.img;
  const { file, area } = photo;
  onProgress(0);
  return await upload(area ? await shrinkPhoto(file, area) : file, onProgress);
}

/** Crops the photo only if it used to be the cover. */
async function uploadPicture({ file, area }: ChosenPhoto, onProgress: Progress): Promise<string> {
  return await upload(await shrinkPhoto(file, area), onProgress);
}

async function upload(file: File, onProgress: Progress): Promise<string> {
  const { imageHost } = await browserQueries.query({
    ...queryOf(readConfig, {}),
    staleTime: "static",
  });
  const address = `${imageHost.url}/1/upload?key=${encodeURIComponent(imageHost.key)}`;
  return await uploadPhoto(file, address, onProgress);
}
