import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { createPictureUploads, type PictureUploads, uploadedOf } from "./picture-uploads.ts";
import type { ProductForm } from "./product-form.ts";
import { uploadPicture } from "./upload-listing-photo.ts";

/** The uploads of a form's pictures. Copies the URLs of uploaded pictures into the form. */
export function usePictureUploads({
  getValues,
  setValue,
  clearErrors,
}: Pick<UseFormReturn<ProductForm>, "getValues" | "setValue" | "clearErrors">): PictureUploads {
  const queries = useQueryClient();
  const [uploads] = useState(() =>
    createPictureUploads(
      (photo, onProgress) => uploadPicture(queries, photo, onProgress),
      getValues("pictures") ?? [],
    ),
  );
  useEffect(
    () =>
      uploads.subscribe(() => {
        setValue("pictures", uploadedOf(uploads.list()));
        clearErrors("pictures");
      }),
    [uploads, setValue, clearErrors],
  );
  return uploads;
}
