import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import { imageTypes, maxImageBytes, maxListingImages } from "#contract/images.ts";
import { Button } from "#web/ui/Button.tsx";
import { Field } from "#web/ui/Field.tsx";
import { FileButton } from "#web/ui/FileButton.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import type { IconName } from "#web/ui/icon-names.ts";
import { useObjectUrl } from "#web/ui/object-url.ts";
import { Photo } from "#web/ui/Photo.tsx";
import { unreadablePhoto } from "#web/ui/shrink-photo.ts";
import { toast } from "#web/ui/toast.ts";
import { PhotoField } from "./PhotoField.tsx";
import type { Picture, PictureUploads } from "./photo-uploads.ts";
import { type ProductFields, type ProductForm, registerFocus } from "./product-form.ts";

type ListingPhotosFieldProps = {
  form: ProductFields;
  pictures: PictureUploads;
  /** Called with the chosen cover's file; undefined if the cover is uploaded or unreadable. */
  onPhoto: (file: File | undefined) => void;
};

/** The cover (specification 5.3), and up to nine more photos. */
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
    const others = files.filter((file) => !photos.includes(file)).map(({ name }) => name);
    const room = maxListingImages - 1 - list.length;
    if (others.length > 0)
      toast.error(
        `Not added: ${others.join(", ")}. Choose JPEG, PNG, WebP or AVIF photos of up to 10 MB.`,
      );
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

type MorePicturesProps = {
  form: ProductFields;
  pictures: PictureUploads;
  list: readonly Picture[];
  onAdd: (files: File[]) => void;
  onMakeCover: (picture: Picture) => void;
};

/** The photos after the cover. Each is uploaded when chosen. */
function MorePictures(props: MorePicturesProps) {
  const { form, pictures, list, onAdd, onMakeCover } = props;
  const register = registerFocus(form, "pictures");
  const [said, say] = useState("");
  const move = (picture: Picture, place: number, by: number) => {
    if (place + by === 1) {
      onMakeCover(picture);
      say(`Picture ${place} is the cover now.`);
    } else {
      pictures.move(picture.id, by);
      say(`Picture ${place} is picture ${place + by} now.`);
    }
  };
  return (
    <Field
      label="More pictures"
      hint={`Up to ${maxListingImages - 1}, such as the keyboard, the ports and any damage.`}
      error={form.formState.errors.pictures?.message}
    >
      {(control) => (
        <div className="flex flex-col gap-3">
          <ol className="picture-tiles">
            {list.map((picture, index) => (
              <PictureTile
                key={picture.id}
                picture={picture}
                place={index + 2}
                isLast={index === list.length - 1}
                onMove={(by) => move(picture, index + 2, by)}
                onRetry={() => pictures.retry(picture.id)}
                onRemove={() => {
                  pictures.remove(picture.id);
                  say(`Picture ${index + 2} is removed.`);
                  document.getElementById(control.id)?.focus();
                }}
              />
            ))}
          </ol>
          <FileButton
            {...control}
            ref={register}
            hidden={list.length >= maxListingImages - 1}
            multiple
            accept={imageTypes.join(",")}
            onFiles={onAdd}
          >
            Choose several
          </FileButton>
          <p role="status" className="sr-only">
            {said}
          </p>
        </div>
      )}
    </Field>
  );
}

type PictureTileProps = {
  picture: Picture;
  /** The picture's number among the listing's photos; the cover is 1. */
  place: number;
  isLast: boolean;
  onMove: (by: -1 | 1) => void;
  onRetry: () => void;
  onRemove: () => void;
};

function PictureTile({ picture, place, isLast, onMove, ...on }: PictureTileProps) {
  const earlier = place === 2 ? "the cover" : "earlier";
  return (
    <li className="picture-tile">
      <Preview picture={picture} alt={`Picture ${place}`} />
      {(picture.status === "waiting" || picture.status === "sending") && (
        <progress
          className="h-1.5 w-full accent-primary"
          value={picture.status === "waiting" ? 0 : picture.progress}
          max={1}
          aria-label={`Upload of picture ${place}`}
        />
      )}
      {picture.status === "failed" && (
        <p role="alert" className="text-error text-sm">
          {picture.message}
        </p>
      )}
      <div className="flex flex-wrap">
        <IconButton
          icon="chevron-left"
          label={`Make picture ${place} ${earlier}`}
          onClick={() => onMove(-1)}
        />
        <IconButton
          icon="chevron-right"
          label={`Make picture ${place} later`}
          onClick={() => onMove(1)}
          aria-disabled={isLast}
        />
        <IconButton icon="trash" label={`Remove picture ${place}`} onClick={on.onRemove} />
        {picture.status === "failed" && picture.message !== unreadablePhoto && (
          <Button look="plain" size="small" onClick={on.onRetry}>
            Try again
          </Button>
        )}
      </div>
    </li>
  );
}

function Preview({ picture: { photo }, alt }: { picture: Picture; alt: string }) {
  const file = useObjectUrl("file" in photo ? photo.file : undefined);
  if ("img" in photo) return <Photo img={photo.img} alt={alt} sizes="9rem" />;
  return <span className="photo">{file && <img src={file} alt={alt} />}</span>;
}

type IconButtonProps = {
  icon: IconName;
  label: string;
  onClick: () => void;
  "aria-disabled"?: boolean;
};

/** `aria-disabled` keeps focus on a button whose picture has just become the last one. */
function IconButton({ icon, label, onClick, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className="btn btn-ghost btn-circle btn-sm"
      aria-label={label}
      title={label}
      {...rest}
      onClick={() => rest["aria-disabled"] || onClick()}
    >
      <Icon name={icon} className="size-4.5" />
    </button>
  );
}
