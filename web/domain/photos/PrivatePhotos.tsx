import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PrivatePhoto, photoSizes } from "#contract/private-photos.ts";
import { privatePhotoQuery } from "../../api/private-photos.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { useObjectUrl } from "../../ui/object-url.ts";

type Size = (typeof photoSizes)[number];

type PrivatePhotosProps = { photos: readonly PrivatePhoto[]; of: string };

/** `of` names the sender or the deal in the labels. */
export function PrivatePhotos({ photos, of }: PrivatePhotosProps) {
  const [enlarged, enlarge] = useState<number>();
  const shown = enlarged === undefined ? undefined : photos[enlarged];
  const nameOf = (index: number) => `Photo ${index + 1} of ${photos.length} from ${of}`;
  if (photos.length === 0) return null;
  return (
    <>
      <ul className="flex flex-wrap gap-2">
        {photos.map((photo, index) => (
          <li key={photo._id}>
            <button
              type="button"
              className="block w-24 overflow-hidden rounded-xl border border-line"
              aria-label={`Enlarge ${nameOf(index)}`}
              onClick={() => enlarge(index)}
            >
              <Loaded photo={photo} size="small" alt="" />
            </button>
          </li>
        ))}
      </ul>
      {shown && (
        <Dialog title="Photo" onClose={() => enlarge(undefined)}>
          <Loaded photo={shown} size="large" alt={nameOf(enlarged ?? 0)} />
        </Dialog>
      )}
    </>
  );
}

type LoadedProps = { photo: PrivatePhoto; size: Size; alt: string };

function Loaded({ photo: { _id, width, height }, size, alt }: LoadedProps) {
  const { data, error } = useQuery(privatePhotoQuery(_id, size));
  const address = useObjectUrl(data);
  if (error) return <span className="block p-3 text-muted text-sm">{error.message}</span>;
  const fit = size === "small" ? "size-24 object-cover" : "h-auto w-full";
  if (address) return <img src={address} width={width} height={height} alt={alt} className={fit} />;
  if (size === "small") return <span className="skeleton block size-24" />;
  return <span className="skeleton block w-full" style={{ aspectRatio: width / height }} />;
}
