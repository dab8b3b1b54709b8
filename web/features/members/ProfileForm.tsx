import { Link } from "react-router";
import type { Session } from "#web/auth/session.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { ReadOnlyField } from "#web/ui/Field.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { UploadProgress } from "#web/ui/UploadProgress.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { ProfilePhoto } from "./ProfilePhoto.tsx";
import { profileWithPhotoForm, useUpdateProfile } from "./use-update-profile.ts";

/** Changes the display name and photo (specification 4, Auth). */
export function ProfileForm({ user }: { user: Session["user"] }) {
  const form = useZodForm(profileWithPhotoForm, { name: user.displayName });
  const update = useUpdateProfile();
  const save = form.handleSubmit((profile) =>
    update.mutate(profile, {
      onSuccess: () => form.reset({ name: profile.name }),
      onError: (error) => showFormError(form, error, { photoURL: "photo" }),
    }),
  );
  return (
    <form
      onSubmit={save}
      noValidate
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
    </form>
  );
}
