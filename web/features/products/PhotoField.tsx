import { ImagePlus } from "lucide-react";
import { useMemo } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { Field } from "#web/ui/Field.tsx";

type PhotoFieldProps = {
  /** Called where the field stands: of what is wrong, the first registered gets the focus. */
  register: () => UseFormRegisterReturn;
  files: FileList | undefined;
  error: string | undefined;
};

/** The photo of a listing, with a preview once chosen. */
export function PhotoField({ register, files, error }: PhotoFieldProps) {
  const photo = files?.item(0) ?? null;
  return (
    <Field label="Photo" hint="JPEG, PNG, WebP or AVIF, at most 10 MB." error={error}>
      {(control) => (
        <div className="photo-field">
          {photo ? <Preview photo={photo} /> : <Placeholder />}
          <input
            {...control}
            {...register()}
            type="file"
            accept="image/*"
            className="photo-input"
          />
        </div>
      )}
    </Field>
  );
}

function Placeholder() {
  return (
    <span className="flex flex-col items-center gap-2 text-muted">
      <ImagePlus className="size-8" aria-hidden="true" />
      Choose a photo, or drop one here
    </span>
  );
}

function Preview({ photo }: { photo: File }) {
  const address = useMemo(() => URL.createObjectURL(photo), [photo]);
  return (
    <img
      src={address}
      alt="Preview of your upload"
      className="absolute inset-0 size-full object-cover"
      onLoad={() => URL.revokeObjectURL(address)}
    />
  );
}
