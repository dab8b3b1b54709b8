import { useState } from "react";
import { type EmailName, emailSubjects, emailTitle, placeholdersOf } from "#contract/emails.ts";
import { previewEmail, type ShopSettings } from "#contract/shop-settings.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { controlClass, Field } from "#web/ui/Field.tsx";
import { FormField } from "#web/ui/Form.tsx";
import { toast } from "#web/ui/toast.ts";
import type { SettingsForm } from "./shop-form.ts";
import { Section } from "./shop-sections.tsx";

type EmailTextsProps = {
  form: SettingsForm;
  save: (draft: ShopSettings, onSaved: () => void) => void;
};

/** Only the subject and the opening can be edited. The remaining text is built in. */
export function EmailTexts({ form, save }: EmailTextsProps) {
  const [name, setName] = useState<EmailName>("address-to-confirm");
  const preview = useCall(previewEmail, {
    onSuccess: (_, { body }) => body.send && toast.success("We've emailed it to you."),
  });
  const write = (send: boolean) =>
    form.handleSubmit((draft) => save(draft, () => preview.mutate({ body: { name, send } })))();
  const button = { look: "plain", size: "small", busy: preview.isPending } as const;
  return (
    <Section title="Emails" className="min-w-0 gap-4">
      <Field label="Which email" hint="Its amounts, deadlines and links stay, whatever you write.">
        {(control) => (
          <select
            {...control}
            className={`select ${controlClass}`}
            value={name}
            onChange={({ target }) => setName(target.value as EmailName)}
          >
            {Object.entries(form.watch("emails")).map(([one, { subject, opening }]) => (
              <option key={one} value={one}>
                {emailTitle(one)}
                {(subject || opening) && ": your own text"}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div key={name}>
        <FormField
          form={form}
          name={`emails.${name}.subject`}
          label="Subject"
          hint={`Empty for “${emailSubjects[name]}”. You can use ${placeholdersOf(name).join(", ")}.`}
        />
        <FormField
          form={form}
          name={`emails.${name}.opening`}
          label="Opening"
          as="textarea"
          hint="A paragraph before the built-in text. The same placeholders work here."
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button {...button} onClick={() => write(false)}>
          Preview the email
        </Button>
        <Button {...button} onClick={() => write(true)}>
          Send to me
        </Button>
      </div>
      {preview.data && preview.variables?.body.name === name && (
        <output className="user-text block whitespace-pre-line rounded-box border border-line bg-base-100 p-5">
          {`Subject: ${preview.data.subject}\n\n${preview.data.text}`}
        </output>
      )}
    </Section>
  );
}
