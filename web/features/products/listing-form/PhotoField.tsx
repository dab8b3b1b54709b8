import { type ChangeEvent, useState } from "react";
import Cropper, { type Area } from "react-easy-crop";
import "react-easy-crop/react-easy-crop.css";
import { imageTypes } from "#contract/images.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { Field } from "#web/ui/Field.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { useObjectUrl } from "#web/ui/object-url.ts";
import { Photo } from "#web/ui/Photo.tsx";
import { type ProductFields, registerFocus } from "./product-form.ts";
import "#web/ui/file-button.css";

type PhotoFieldProps = {
  form: ProductFields;
  /** Called with the new file before its crop is known. */
  onChoose: (file: File) => void;
  onUnreadable: () => void;
};

/** The photo is chosen, dropped, pasted or taken, then cropped to 4:3. */
export function PhotoField({ form, onChoose, onUnreadable }: PhotoFieldProps) {
  const photo = form.watch("photo");
  const register = registerFocus(form, "photo");
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.item(0);
    if (file) onChoose(file);
    // Lets the seller choose the same file again.
    currentTarget.value = "";
  };
  return (
    <Field
      label="Photo"
      hint="JPEG, PNG, WebP or AVIF, up to 10 MB."
      error={form.formState.errors.photo?.message}
    >
      {(control) => (
        <div className="flex flex-col gap-2">
          {photo && "file" in photo && (
            <PhotoCrop
              key={`${photo.file.name} ${photo.file.lastModified}`}
              file={photo.file}
              onCrop={(area) => form.setValue("photo", { ...photo, area })}
              onUnreadable={onUnreadable}
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
              {photo ? (
                "Choose another"
              ) : (
                <span className="flex flex-col items-center gap-2 text-balance px-6 text-center text-muted">
                  <Icon name="image-plus" className="size-8" />
                  <span>
                    Choose a photo
                    <span className="pointer-coarse:hidden">, or drop or paste one here</span>
                  </span>
                </span>
              )}
              <input
                {...control}
                ref={register}
                onBlur={() => void form.trigger("photo")}
                onChange={choose}
                type="file"
                accept={imageTypes.join(",")}
              />
            </span>
            <Button
              look="plain"
              className="hidden pointer-coarse:inline-flex"
              onClick={() => takeWithCamera(control.id)}
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

/** Opens the camera on phones. */
function takeWithCamera(id: string): void {
  const input = document.getElementById(id);
  // Some phones open the camera only for `image/*`. The camera produces JPEGs.
  input?.setAttribute("accept", "image/*");
  input?.setAttribute("capture", "environment");
  input?.click();
  input?.removeAttribute("capture");
  input?.setAttribute("accept", imageTypes.join(","));
}

type PhotoCropProps = {
  file: File;
  onCrop: (area: Area) => void;
  onUnreadable: () => void;
};

function PhotoCrop({ file, onCrop, onUnreadable }: PhotoCropProps) {
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const image = useObjectUrl(file);
  return (
    <>
      <div className="photo-field">
        <Cropper
          {...(image && { image })}
          aspect={4 / 3}
          objectFit="cover"
          crop={crop}
          zoom={zoom}
          showGrid={false}
          // The content security policy forbids inline styles, so the CSS is imported above.
          disableAutomaticStylesInjection
          mediaProps={{ alt: "Preview of your upload", onError: onUnreadable }}
          cropperProps={{
            role: "group",
            "aria-label": "Crop area. Use the arrow keys to move it.",
          }}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropComplete={(_, area) => onCrop(area)}
        />
      </div>
      <p className="text-muted text-sm">Drag the photo to position the laptop.</p>
      <label className="flex max-w-108 items-center gap-3 text-sm">
        Zoom
        <input
          type="range"
          min={1}
          max={3}
          step={0.05}
          value={zoom}
          onChange={({ currentTarget }) => setZoom(Number(currentTarget.value))}
          className="w-full accent-primary"
        />
      </label>
    </>
  );
}
