import { type FormEvent, type KeyboardEvent, useState } from "react";
import type { z } from "zod";
import { maxMessageLength, type newMessage } from "#contract/messages.ts";
import { Button } from "#web/ui/Button.tsx";
import { clearDraft, readDraft, saveDraft } from "#web/ui/drafts.ts";
import { controlClass, Field } from "#web/ui/Field.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";

type MessageFormProps = {
  /** Of the draft. */
  name: string;
  label?: string;
  paid: boolean;
  busy: boolean;
  error: Error | null;
  /** Calls `done` once it is sent. */
  onSend: (message: z.input<typeof newMessage>, done: () => void) => void;
};

type Draft = { text: string; key: string; tried: string };

/**
 * Writes a message. What is typed survives a failure and a reload. The same text is sent again with the same key, so
 * that it arrives once even if the answer to the first attempt was lost.
 */
export function MessageForm({
  name,
  label = "Message",
  paid,
  busy,
  error,
  onSend,
}: MessageFormProps) {
  const draft = { name: `message ${name}`, fields: ["text", "key", "tried"] } as const;
  const [values, setValues] = useState<Draft>(() => ({ ...empty, ...readDraft<Draft>(draft) }));
  const change = (changed: Partial<Draft>) => {
    const next = { ...values, ...changed };
    setValues(next);
    saveDraft(draft, next);
    return next;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || values.text.trim() === "") return;
    const key = values.tried === values.text ? values.key : crypto.randomUUID();
    const { text } = change({ key, tried: values.text });
    onSend({ text, key }, () => {
      clearDraft(draft.name);
      setValues(empty);
    });
  };
  return (
    <form onSubmit={submit} className="mt-6 flex flex-col gap-2">
      <Field label={label} hint={paid ? undefined : hint} error={undefined}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            dir="auto"
            maxLength={maxMessageLength}
            className={`textarea ${controlClass}`}
            value={values.text}
            onChange={({ target }) => change({ text: target.value })}
            onKeyDown={sendOnCtrlEnter}
          />
        )}
      </Field>
      <FormMessage message={error?.message} />
      <Button type="submit" busy={busy} className="self-end">
        Send
      </Button>
    </form>
  );
}

const empty: Draft = { text: "", key: "", tried: "" };

const hint =
  "Phone numbers, email addresses and links in messages are hidden until the laptop is paid for on Secondlap. A hold shows you both how to reach each other.";

function sendOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
    event.currentTarget.form?.requestSubmit();
}
