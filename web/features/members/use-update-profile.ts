import { useState } from "react";
import { z } from "zod";
import { changesOf } from "#contract/call-resources.ts";
import {
  imageTypes,
  maxImageBytes,
  uploadPhoto as photoCall,
  wrongImageType,
} from "#contract/images.ts";
import { profileForm, updateProfile } from "#contract/members.ts";
import { browserApi, useMutationOnce } from "#web/api/api.ts";
import { firebaseClient, usesFirebase } from "#web/api/identity-client.ts";
import { uploadPhoto } from "#web/api/upload-photo.ts";
import { toast } from "#web/ui/toast.ts";

/** A null photo removes the photo, undefined leaves it unchanged. */
export const profileWithPhotoForm = profileForm.omit({ photoURL: true }).extend({
  photo: z
    .instanceof(File)
    .refine(({ type }) => imageTypes.includes(type), wrongImageType)
    .refine(({ size }) => size <= maxImageBytes, "Choose a photo of up to 10 MB.")
    .nullable()
    .optional(),
});

type Profile = z.output<typeof profileWithPhotoForm>;

/** `progress` is the uploaded share, 0 to 1. */
export function useUpdateProfile() {
  const [progress, setProgress] = useState<number | undefined>(0);
  const update = useMutationOnce({
    mutationFn: async ({ name, photo }: Profile) => {
      setProgress(0);
      const address = `/api${photoCall.path}`;
      const photoURL = photo ? await uploadPhoto(photo, address, setProgress) : photo;
      const body = { name, ...(photoURL !== undefined && { photoURL }) };
      const saved = await browserApi(updateProfile, { body });
      if (usesFirebase()) await (await firebaseClient()).updateIdentity(saved.body);
    },
    onSuccess: () => toast.success("Profile saved."),
    meta: { changes: changesOf(updateProfile) },
  });
  return { ...update, progress };
}
