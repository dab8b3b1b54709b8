import { useState } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { imageTypes, maxListingImages } from "#contract/images.ts";
import { Field } from "#web/ui/Field.tsx";
import { FileButton } from "#web/ui/FileButton.tsx";
import { PictureTile } from "./PictureTile.tsx";
import type { Picture, PictureUploads } from "./picture-uploads.ts";

type MorePicturesProps = {
  pictures: PictureUploads;
  list: readonly Picture[];
  error: string | undefined;
  /**
   * Registers the field. Called while rendering, because the first invalid field in registration
   * order gets focus.
   */
  register: () => Pick<UseFormRegisterReturn, "ref">;
  onAdd: (files: File[]) => void;
  onMakeCover: (picture: Picture) => void;
};

/** The photos after the cover, in order. Each photo is uploaded when chosen. */
export function MorePictures({ pictures, list, error, register, ...on }: MorePicturesProps) {
  const { ref: registered } = register();
  const [said, say] = useState("");
  const move = (picture: Picture, place: number, by: number) => {
    if (place + by === 1) {
      on.onMakeCover(picture);
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
      error={error}
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
            ref={(element) => {
              // Registers only `focus`, because the form must not read the file input's value.
              // Without a type, the form would publish its values on every render, and would save
              // a deleted draft again.
              registered(element && { type: "pictures", focus: () => element.focus() });
            }}
            hidden={list.length >= maxListingImages - 1}
            multiple
            accept={imageTypes.join(",")}
            onFiles={on.onAdd}
          >
            Choose or drop several
          </FileButton>
          <p role="status" className="sr-only">
            {said}
          </p>
        </div>
      )}
    </Field>
  );
}
