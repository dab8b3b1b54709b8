import { useRef, useState } from "react";
import type { Answer } from "#contract/call.ts";
import { emailTitle } from "#contract/emails.ts";
import { previewCookie } from "#contract/shop.ts";
import {
  discardShopDraft,
  pageTitles,
  publishShopSettings,
  type readShopSettings,
  type ShopSettings,
  saveShopDraft,
} from "#contract/shop-settings.ts";
import { useCall } from "#web/api/api.ts";
import { useConfirmedCall } from "#web/domain/members/ConfirmIdentity.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmButton, ConfirmDialog } from "#web/ui/ConfirmButton.tsx";
import { FormMessage } from "#web/ui/Form.tsx";
import { formatDateTime } from "#web/ui/format-dates-and-counts.ts";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";
import { EmailTexts } from "./EmailTexts.tsx";
import { PageTexts } from "./PageTexts.tsx";
import { formOf, type SettingsForm, shopForm } from "./shop-form.ts";
import {
  Closed,
  Conditions,
  Look,
  Money,
  Operator,
  Promo,
  Selling,
  SettingsFile,
  Times,
} from "./shop-sections.tsx";

type ShopSettingsFormProps = { settings: Answer<typeof readShopSettings> };

/** Until the draft is published, only the preview shows it. */
export function ShopSettingsForm({ settings }: ShopSettingsFormProps) {
  // Keeps the settings the form began with, so that saving never undoes another admin's change.
  const [known] = useState(settings);
  const { published, draft, defaults, isCurrencyFixed } = known;
  const form = useZodForm(shopForm, formOf(draft ?? published, defaults));
  const actions = useActions(form, known);
  return (
    <form
      onSubmit={form.handleSubmit((draft) => actions.save(draft))}
      noValidate
      className="flex max-w-3xl flex-col gap-10"
    >
      <Look form={form} />
      <Operator form={form} />
      <Money
        form={form}
        defaults={defaults}
        fixedCurrency={isCurrencyFixed ? published.currency : undefined}
      />
      <Times form={form} defaults={defaults} />
      <Promo form={form} defaults={defaults} />
      <Conditions form={form} />
      <PageTexts form={form} />
      <EmailTexts form={form} save={actions.save} />
      <Selling form={form} />
      <Closed form={form} />
      <SettingsFile form={form} defaults={defaults} />
      <ActionBar form={form} actions={actions} settings={settings} />
      {actions.confirmation}
    </form>
  );
}

type Known = ShopSettingsFormProps["settings"];

function useActions(form: SettingsForm, { number: basedOn, draftRevision, defaults }: Known) {
  const over = useRef(draftRevision);
  const onError = (error: Error) => showFormError(form, error);
  const saving = useCall(saveShopDraft, { onError });
  const save = (draft: ShopSettings, onSaved: (draft: string) => void = () => {}) =>
    saving.mutate(
      { body: { settings: draft, basedOn, over: over.current } },
      {
        onSuccess: ({ insertedId, draftRevision: saved }) => {
          over.current = saved;
          // Text typed during the save stays in the form as unsaved changes.
          form.reset(formOf(draft, defaults), { keepValues: true });
          onSaved(insertedId);
        },
      },
    );
  // Reloads, because a page keeps showing the settings that it was loaded with.
  const onSuccess = () => location.reload();
  const publishing = useConfirmedCall(publishShopSettings, { onError, onSuccess });
  const discarding = useCall(discardShopDraft, { onError, onSuccess });
  return {
    save,
    preview: (draft: ShopSettings) => save(draft, openPreview),
    publish: (settings: ShopSettings) =>
      publishing.mutate({ body: { settings, basedOn, over: over.current } }),
    discard: () => discarding.mutate({}),
    isBusy: saving.isPending || publishing.isPending || discarding.isPending,
    confirmation: publishing.confirmation,
  };
}

/** Shows the draft on every page in this browser for an hour. */
function openPreview(draft: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: Safari and Firefox lack the Cookie Store API.
  document.cookie = `${previewCookie}=${draft}; path=/; max-age=3600; samesite=lax`;
  location.assign(paths.home());
}

type ActionBarProps = ShopSettingsFormProps & {
  form: SettingsForm;
  actions: ReturnType<typeof useActions>;
};

function ActionBar({ form, actions, settings }: ActionBarProps) {
  const { isDirty, errors } = form.formState;
  const hasDraft = settings.draft !== null;
  const { isBusy } = actions;
  const [asked, setAsked] = useState<ShopSettings>();
  return (
    <div className="publish-bar sticky z-10 flex flex-col gap-3 border-line border-t bg-base-200 py-4">
      {/* Above the buttons: below them, it would move a button that is being clicked. */}
      <FormMessage message={messageOf(errors)} />
      <div className="flex flex-wrap items-center gap-3">
        <Button size="small" busy={isBusy} onClick={form.handleSubmit((valid) => setAsked(valid))}>
          Publish
        </Button>
        {asked && (
          <ConfirmDialog
            title="Publish these settings?"
            message="Everybody sees them within a second. You can go back to an earlier version at any time."
            confirm="Publish"
            look="primary"
            busy={isBusy}
            onConfirm={() => {
              setAsked(undefined);
              actions.publish(asked);
            }}
            onCancel={() => setAsked(undefined)}
          />
        )}
        <Button
          look="plain"
          size="small"
          busy={isBusy}
          onClick={form.handleSubmit(actions.preview)}
        >
          Preview
        </Button>
        <Button type="submit" look="plain" size="small" busy={isBusy}>
          Save draft
        </Button>
        {(hasDraft || isDirty) && (
          <ConfirmButton
            look="quiet"
            title="Discard all changes?"
            message={`The form goes back to what is published.${hasDraft ? " The draft is deleted for other admins, too." : ""}`}
            confirm="Discard"
            busy={isBusy}
            onConfirm={(done) => {
              done();
              actions.discard();
            }}
          >
            Discard changes
          </ConfirmButton>
        )}
        <p className="text-muted text-sm" role="status">
          {isDirty ? "Not saved yet." : stateOf(settings)}
        </p>
      </div>
    </div>
  );
}

function stateOf({ draft, versions: [version] }: Known): string | undefined {
  if (draft) return "The draft is saved. Only its preview shows it.";
  return version && `Published ${formatDateTime(version.publishedAt)}.`;
}

function messageOf(errors: SettingsForm["formState"]["errors"]): string | undefined {
  const [page] = Object.keys(errors.texts ?? {});
  if (page) return `Please correct the text of the page ${pageTitles[page]}.`;
  const [email] = Object.keys(errors.emails ?? {});
  if (email) return `Please correct the texts of the email “${emailTitle(email)}”.`;
  if (errors.root) return errors.root.message;
  return Object.keys(errors).length > 0 ? "Please correct the fields marked in red." : undefined;
}
