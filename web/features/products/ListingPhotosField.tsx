import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { imageTypes, maxImageBytes, maxListingImages } from "#contract/images.ts";
import { unreadablePhoto } from "#web/ui/shrink-photo.ts";
import { toast } from "#web/ui/toast.ts";
import { MorePictures } from "./MorePictures.tsx";
import { PhotoField } from "./PhotoField.tsx";
import type { Picture, PictureUploads } from "./photo-uploads.ts";
import type { ProductFields, ProductForm } from "./product-form.ts";

type ListingPhotosFieldProps = {
  form: ProductFields;
  pictures: PictureUploads;
  /** Called with the chosen cover's file; undefined if the cover is uploaded or unreadable. */
  onPhoto: (file: File | undefined) => void;
};

/** The cover (specification 5, Photo), and up to nine more photos. */
export function ListingPhotosField({ form, pictures, onPhoto }: ListingPhotosFieldProps) {
  const list = useSyncExternalStore(pictures.subscribe, pictures.list, pictures.list);
  const setCover = (photo: NonNullable<ProductForm["photo"]>) => {
    form.setValue("photo", photo, { shouldValidate: true });
    onPhoto("file" in photo ? photo.file : undefined);
  };
  const takeCover = (file: File) => setCover({ file, area: null });
  const addPictures = (files: File[]) => {
    const photos = files.filter(
      ({ type, size }) => imageTypes.includes(type) && size <= maxImageBytes,
    );
    const room = maxListingImages - 1 - list.length;
    if (photos.length < files.length)
      toast.error("Only JPEG, PNG, WebP and AVIF photos of up to 10 MB were added.");
    if (photos.length > room) toast.error(`A laptop can have ${maxListingImages} photos.`);
    pictures.add(photos.slice(0, room));
  };
  useDropAndPaste((files) => {
    const [first, ...others] = files;
    if (form.getValues("photo") || !first) return addPictures(files);
    takeCover(first);
    addPictures(others);
  });
  const makeCover = ({ id, photo }: Picture) => {
    const cover = form.getValues("photo");
    if (cover) pictures.replace(id, cover);
    else pictures.remove(id);
    setCover("file" in photo ? { file: photo.file, area: null } : photo);
  };
  return (
    <>
      <PhotoField
        form={form}
        onChoose={takeCover}
        onUnreadable={() => {
          form.unregister("photo");
          onPhoto(undefined);
          form.setError("photo", { message: unreadablePhoto });
        }}
      />
      <MorePictures
        form={form}
        pictures={pictures}
        list={list}
        onAdd={addPictures}
        onMakeCover={makeCover}
      />
    </>
  );
}

/** Accepts photos pasted or dropped anywhere on the page. */
function useDropAndPaste(take: (photos: File[]) => void): void {
  const bring = useEffectEvent((event: Event, files: FileList | undefined) => {
    if (!files?.length) return;
    event.preventDefault();
    take([...files]);
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => bring(event, event.clipboardData?.files);
    const drop = (event: DragEvent) => bring(event, event.dataTransfer?.files);
    // Otherwise the browser would navigate to the file and lose the form.
    const allowDrop = (event: DragEvent) =>
      event.dataTransfer?.types.includes("Files") && event.preventDefault();
    document.addEventListener("paste", paste);
    document.addEventListener("drop", drop);
    document.addEventListener("dragover", allowDrop);
    return () => {
      document.removeEventListener("paste", paste);
      document.removeEventListener("drop", drop);
      document.removeEventListener("dragover", allowDrop);
    };
  }, []);
}
