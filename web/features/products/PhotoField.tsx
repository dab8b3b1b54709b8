import { type ChangeEvent, useRef } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { imageTypes } from "#contract/images.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { Field } from "#web/ui/Field.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { Photo } from "#web/ui/Photo.tsx";
import { PhotoCrop } from "./PhotoCrop.tsx";
import type { ChosenPhoto, LaptopPhoto } from "./upload-listing-photo.ts";
import "#web/ui/file-button.css";

type PhotoFieldProps = {
  photo: LaptopPhoto | undefined;
  error: string | undefined;
  /**
   * Registers the field. Called while rendering, because the first invalid field in registration
   * order gets focus.
   */
  register: () => Pick<UseFormRegisterReturn, "ref">;
  onChange: (photo: ChosenPhoto) => void;
  /** Called with the new file before its crop is known. */
  onChoose: (file: File) => void;
  onBlur: () => void;
  onUnreadable: () => void;
};

/** The listing's cover photo: chosen, dropped, pasted or taken, then cropped to 4:3. */
export function PhotoField({ photo, error, register, onChange, ...on }: PhotoFieldProps) {
  const { ref: registered } = register();
  const input = useRef<HTMLInputElement>(null);
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.item(0);
    if (file) on.onChoose(file);
    // Lets the seller choose the same file again.
    currentTarget.value = "";
  };
  return (
    <Field label="Photo" hint="JPEG, PNG, WebP or AVIF, up to 10 MB." error={error}>
      {(control) => (
        <div className="flex flex-col gap-2">
          {photo && "file" in photo && (
            <PhotoCrop
              key={`${photo.file.name} ${photo.file.lastModified}`}
              file={photo.file}
              onCrop={(area) => onChange({ ...photo, area })}
              onUnreadable={on.onUnreadable}
            />
          )}
          {photo && "img" in photo && (
            <div className="max-w-108 overflow-hidden rounded-box">
              <Photo img={photo.img} alt="The listing's photo" sizes="27rem" />
            </div>
          )}
          <div className="flex max-w-108 flex-wrap gap-2">
            <span
              className={`file-button ${photo ? buttonClass({ look: "plain" }) : "photo-field"}`}
            >
              {photo ? "Choose another" : <Placeholder />}
              <input
                {...control}
                ref={(element) => {
                  input.current = element;
                  // Registers only `focus`, because the form must not read the input's value.
                  // Without a type, the form would publish its values on every render, and would
                  // save a deleted draft again.
                  registered(element && { type: "photo", focus: () => element.focus() });
                }}
                onBlur={on.onBlur}
                onChange={choose}
                type="file"
                accept={imageTypes.join(",")}
              />
            </span>
            <Button
              look="plain"
              className="hidden pointer-coarse:inline-flex"
              onClick={() => takeWithCamera(input.current)}
            >
              <Icon name="camera" className="size-4.5" />
              Take a photo
            </Button>
          </div>
        </div>
      )}
    </Field>
  );
}

/** Opens the camera on phones. Without `capture`, phones would open the photo library. */
function takeWithCamera(input: HTMLInputElement | null): void {
  // Some phones open the camera only for `image/*`. The camera produces JPEGs.
  input?.setAttribute("accept", "image/*");
  input?.setAttribute("capture", "environment");
  input?.click();
  input?.removeAttribute("capture");
  input?.setAttribute("accept", imageTypes.join(","));
}

function Placeholder() {
  return (
    <span className="flex flex-col items-center gap-2 text-balance px-6 text-center text-muted">
      <Icon name="image-plus" className="size-8" />
      Choose a photo, or drop or paste one here
    </span>
  );
}
