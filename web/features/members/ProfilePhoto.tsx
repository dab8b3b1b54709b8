import type { ChangeEvent } from "react";
import { imageTypes } from "#contract/images.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { Field } from "#web/ui/Field.tsx";
import { useObjectUrl } from "#web/ui/object-url.ts";
import "#web/ui/file-button.css";

type ProfilePhotoProps = {
  name: string;
  current: string | null;
  /** The new photo; null removes the photo, undefined leaves it unchanged. */
  chosen: File | null | undefined;
  error: string | undefined;
  onChoose: (photo: File | null) => void;
};

export function ProfilePhoto({ name, current, chosen, error, onChoose }: ProfilePhotoProps) {
  const preview = useObjectUrl(chosen);
  const photo = chosen === null ? null : (preview ?? current);
  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.item(0);
    if (file) onChoose(file);
    // Lets the user choose the same file again.
    currentTarget.value = "";
  };
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
      <Avatar name={name} photo={photo} size="large" />
      <div className="min-w-56 flex-1">
        <Field
          label="Photo"
          hint="JPEG, PNG, WebP or AVIF, up to 10 MB. Cropped to a centered square."
          error={error}
        >
          {(control) => (
            <div className="flex flex-wrap gap-2">
              <span className={`file-button ${buttonClass({ look: "plain" })}`}>
                {photo === null ? "Choose a photo" : "Choose another"}
                <input {...control} type="file" accept={imageTypes.join(",")} onChange={choose} />
              </span>
              {photo !== null && (
                <Button look="quiet" onClick={() => onChoose(null)}>
                  Remove photo
                </Button>
              )}
            </div>
          )}
        </Field>
      </div>
    </div>
  );
}
