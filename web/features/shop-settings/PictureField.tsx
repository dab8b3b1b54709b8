import { useId, useState } from "react";
import {
  type FieldError,
  type FieldValues,
  get,
  type Path,
  type PathValue,
  type UseFormReturn,
} from "react-hook-form";
import { Button } from "#web/ui/Button.tsx";
import { FileButton } from "#web/ui/FileButton.tsx";
import "./shop-settings.css";

type PictureFieldProps<V extends FieldValues> = {
  form: Pick<UseFormReturn<V>, "watch" | "setValue" | "formState">;
  /** The field's name, also shown in the buttons' labels. */
  name: Path<V> & ("logo" | "icon" | "picture");
  label: string;
  /** The URL of the current picture. */
  stored?: string | undefined;
  /** The maximum size in pixels. */
  width: number;
  height: number;
};

/** The browser redraws the picture as PNG, so that an SVG's scripts never run. */
export function PictureField<V extends FieldValues>(props: PictureFieldProps<V>) {
  const { form, name, label, stored = "", width, height } = props;
  const hint = useId();
  const [problem, setProblem] = useState<string>();
  const picture: string = form.watch(name) ?? stored;
  const error = get(form.formState.errors, name) as FieldError | undefined;
  const choice = name === "icon" ? "Choose an icon" : `Choose a ${name}`;
  const set = (value: string) =>
    form.setValue(name, value as PathValue<V, typeof name>, {
      shouldDirty: true,
      shouldValidate: true,
    });
  const choose = async ([file]: File[]) => {
    setProblem(undefined);
    if (!file) return;
    if (file.size > 5_000_000) return setProblem("Choose a picture of at most 5 MB.");
    await drawAsPng(file, { width, height }).then(set, () =>
      setProblem("We can't read this picture. Choose an SVG, PNG or JPEG."),
    );
  };
  return (
    <fieldset className="mb-4 flex flex-col gap-2">
      <legend className="mb-2 font-medium text-sm">{label}</legend>
      {picture && <img src={picture} alt={`Your ${name}`} className="shop-picture" />}
      <div className="flex flex-wrap gap-2">
        <FileButton
          accept="image/svg+xml,image/png,image/jpeg,image/webp"
          size="small"
          aria-label={choice}
          aria-describedby={hint}
          onFiles={choose}
        >
          {picture ? `Replace the ${name}` : choice}
        </FileButton>
        {picture && (
          <Button look="quiet" size="small" onClick={() => set("")}>
            {`Remove the ${name}`}
          </Button>
        )}
      </div>
      <p id={hint} className="text-muted text-sm">
        An SVG, PNG, JPEG or WebP. We store it as a PNG, so no script in an SVG can run.
      </p>
      <p role="alert" className="min-h-5 text-error text-sm">
        {problem ?? error?.message}
      </p>
    </fieldset>
  );
}

/** The maximum length of a picture's data URL, below the contract's limits. */
const maxCharacters = 80_000;

/** Scales the picture to the size, or smaller if its URL is too long. Rejects unreadable files. */
async function drawAsPng(
  file: File,
  { width, height }: { width: number; height: number },
): Promise<string> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    // An SVG may have no size of its own.
    const [across, down] = [image.naturalWidth || width, image.naturalHeight || height];
    let scale = Math.min(width / across, height / down);
    for (;;) {
      const canvas = document.createElement("canvas");
      canvas.width = Math.max(1, Math.round(across * scale));
      canvas.height = Math.max(1, Math.round(down * scale));
      canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
      const drawn = canvas.toDataURL("image/png");
      if (drawn.length <= maxCharacters || canvas.width < 64) return drawn;
      scale *= 0.8;
    }
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
