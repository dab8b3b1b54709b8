import { useId, useState } from "react";
import { imageTypes } from "#contract/images.ts";
import { maxAttachedPhotos } from "#contract/private-photos.ts";
import { sendPrivatePhoto } from "../../api/private-photos.ts";
import { Button } from "../../ui/Button.tsx";
import { FileButton } from "../../ui/FileButton.tsx";
import { Icon } from "../../ui/Icon.tsx";
import { useObjectUrl } from "../../ui/object-url.ts";
import { shrinkPhoto } from "../../ui/shrink-photo.ts";
import { toast } from "../../ui/toast.ts";

/** A chosen photo. `id` is the id of the uploaded photo. */
type Attachment = { key: string; file: File } & (
  | { status: "sending" }
  | { status: "sent"; id: string }
  | { status: "failed"; message: string }
);

type Attachments = ReturnType<typeof useAttachments>;

/** Uploads photos as soon as they are chosen. */
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
    /** Whether all photos are uploaded. If one failed, a toast asks to retry or remove it. */
    areSent() {
      if (list.some(({ status }) => status === "failed"))
        toast.error("A photo wasn't uploaded. Try it again, or remove it.");
      return list.every(({ status }) => status === "sent");
    },
    ids: list.flatMap((one) => (one.status === "sent" ? [one.id] : [])),
  };
}

export function PhotoAttachments({ photos }: { photos: Attachments }) {
  const id = useId();
  const { list } = photos;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {list.length > 0 && (
        <ul aria-label="Photos to send" className="flex flex-wrap gap-2">
          {list.map((one, index) => (
            <Chosen
              key={one.key}
              photo={one}
              name={`photo ${index + 1}`}
              onRetry={() => photos.retry(one)}
              onRemove={() => {
                photos.remove(one.key);
                document.getElementById(id)?.focus();
              }}
            />
          ))}
        </ul>
      )}
      <FileButton
        id={id}
        size="small"
        hidden={list.length >= maxAttachedPhotos}
        multiple
        accept={imageTypes.join(",")}
        aria-label="Add photos"
        onFiles={photos.add}
      >
        Add photos
      </FileButton>
    </div>
  );
}

type ChosenProps = {
  photo: Attachment;
  name: string;
  onRetry: () => void;
  onRemove: () => void;
};

function Chosen({ photo, name, onRetry, onRemove }: ChosenProps) {
  const address = useObjectUrl(photo.file);
  return (
    <li className="w-24">
      <span className="relative block overflow-hidden rounded-xl">
        {address && <img src={address} alt={`Chosen ${name}`} className="size-24 object-cover" />}
        <button
          type="button"
          aria-label={`Remove ${name}`}
          className="btn btn-circle btn-sm absolute top-0 right-0"
          onClick={onRemove}
        >
          <Icon name="x" className="size-4" />
        </button>
      </span>
      <span role="status" className="block text-muted text-sm">
        {photo.status === "sending" && "Uploading…"}
        {photo.status === "sent" && <span className="sr-only">{name} is uploaded.</span>}
      </span>
      {photo.status === "failed" && (
        <>
          <p role="alert" className="text-error text-sm">
            {photo.message}
          </p>
          <Button look="plain" size="small" onClick={onRetry}>
            Try again
          </Button>
        </>
      )}
    </li>
  );
}
