import { useState } from "react";
import { Link } from "react-router";
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
import type { Session } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { Avatar } from "#web/ui/Avatar.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Field, ReadOnlyField } from "#web/ui/Field.tsx";
import { FileButton, UploadProgress } from "#web/ui/FileButton.tsx";
import { Form, FormField, FormMessage } from "#web/ui/Form.tsx";
import { useObjectUrl } from "#web/ui/object-url.ts";
import { toast } from "#web/ui/toast.ts";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";

export function ProfileForm({ user }: { user: Session["user"] }) {
  const form = useZodForm(profileWithPhotoForm, { name: user.displayName });
  const update = useUpdateProfile();
  const save = (profile: Profile) =>
    update.mutate(profile, {
      onSuccess: () => form.reset({ name: profile.name }),
      onError: (error) => showFormError(form, error, { photoURL: "photo" }),
    });
  return (
    <Form
      form={form}
      onSubmit={save}
      className="flex max-w-3xl flex-col gap-2 rounded-box border border-line bg-base-100 p-5 shadow-rest sm:p-8"
    >
      <ProfilePhoto
        name={user.displayName}
        current={user.photo}
        chosen={form.watch("photo")}
        error={form.formState.errors.photo?.message}
        onChoose={(photo) => form.setValue("photo", photo, { shouldValidate: true })}
      />
      <FormField
        form={form}
        name="name"
        label="Name"
        autoComplete="name"
        hint="Shown on your listings, bookings and reports."
      />
      <ReadOnlyField
        label="Email"
        value={user.email}
        hint="You can't change the address you log in with."
      />
      {update.isPending && form.getValues("photo") && <UploadProgress value={update.progress} />}
      <FormMessage message={form.formState.errors.root?.message} />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Button type="submit" size="large" busy={update.isPending}>
          Save
        </Button>
        <Link to={paths.forgotPassword()} state={{ email: user.email }} className="link text-sm">
          Set a new password
        </Link>
      </div>
    </Form>
  );
}

type ProfilePhotoProps = {
  name: string;
  current: string | null;
  /** The new photo; null removes the photo, undefined leaves it unchanged. */
  chosen: File | null | undefined;
  error: string | undefined;
  onChoose: (photo: File | null) => void;
};

function ProfilePhoto({ name, current, chosen, error, onChoose }: ProfilePhotoProps) {
  const preview = useObjectUrl(chosen);
  const photo = chosen === null ? null : (preview ?? current);
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
              <FileButton
                {...control}
                icon={null}
                accept={imageTypes.join(",")}
                onFiles={([file]) => file && onChoose(file)}
              >
                {photo === null ? "Choose a photo" : "Choose another"}
              </FileButton>
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

const profileWithPhotoForm = profileForm.omit({ photoURL: true }).extend({
  photo: z
    .instanceof(File)
    .refine(({ type }) => imageTypes.includes(type), wrongImageType)
    .refine(({ size }) => size <= maxImageBytes, "Choose a photo of up to 10 MB.")
    .nullable()
    .optional(),
});

type Profile = z.output<typeof profileWithPhotoForm>;

/** `progress` is the uploaded share, 0 to 1, if known. */
function useUpdateProfile() {
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
