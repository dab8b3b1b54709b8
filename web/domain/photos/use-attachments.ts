import { useState } from "react";
import { maxAttachedPhotos } from "#contract/private-photos.ts";
import { sendPrivatePhoto } from "../../api/private-photos.ts";
import { shrinkPhoto } from "../../ui/shrink-photo.ts";
import { toast } from "../../ui/toast.ts";

/** A chosen photo. `id` is the id of the uploaded photo. */
export type Attachment = { key: string; file: File } & (
  | { status: "sending" }
  | { status: "sent"; id: string }
  | { status: "failed"; message: string }
);

export type Attachments = ReturnType<typeof useAttachments>;

/** Photos are uploaded as soon as they are chosen. */
export function useAttachments() {
  const [list, setList] = useState<readonly Attachment[]>([]);
  const update = (key: string, next: Attachment) =>
    setList((all) => all.map((one) => (one.key === key ? next : one)));
  const send = async ({ key, file }: Pick<Attachment, "key" | "file">) => {
    update(key, { key, file, status: "sending" });
    try {
      const { _id } = await sendPrivatePhoto(await shrinkPhoto(file));
      update(key, { key, file, status: "sent", id: _id });
    } catch (error) {
      update(key, { key, file, status: "failed", message: (error as Error).message });
    }
  };
  return {
    list,
    add(files: readonly File[]) {
      const added = files
        .slice(0, maxAttachedPhotos - list.length)
        .map((file) => ({ key: crypto.randomUUID(), file, status: "sending" as const }));
      setList([...list, ...added]);
      for (const one of added) void send(one);
    },
    retry: (one: Attachment) => void send(one),
    remove: (key: string) => setList((all) => all.filter((one) => one.key !== key)),
    clear: () => setList([]),
    isSending: list.some(({ status }) => status === "sending"),
    /** If an upload failed, a toast asks the user to retry or remove the photo. */
    areSent() {
      if (list.some(({ status }) => status === "failed"))
        toast.error("A photo wasn't uploaded. Try it again, or remove it.");
      return list.every(({ status }) => status === "sent");
    },
    ids: list.flatMap((one) => (one.status === "sent" ? [one.id] : [])),
  };
}
