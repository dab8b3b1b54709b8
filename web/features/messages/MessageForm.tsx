import { type FormEvent, type KeyboardEvent, useState } from "react";
import type { z } from "zod";
import { maxMessageLength, type newMessage } from "#contract/messages.ts";
import { maxAttachedPhotos } from "#contract/private-photos.ts";
import { sendPrivatePhoto } from "#web/api/private-photos.ts";
import { PhotoAttachments } from "#web/domain/photos/PhotoAttachments.tsx";
import { useAttachments } from "#web/domain/photos/use-attachments.ts";
import { Button } from "#web/ui/Button.tsx";
import { clearDraft, readDraft, saveDraft } from "#web/ui/drafts.ts";
import { controlClass, Field } from "#web/ui/Field.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import "./messages.css";

type MessageFormProps = {
  /** The name under which the draft is stored. */
  name: string;
  label?: string;
  paid: boolean;
  /** False for the first question to a seller. */
  maySendPhotos?: boolean;
  busy: boolean;
  error: Error | null;
  /** Sends the message, then calls `done`. */
  onSend: (message: z.input<typeof newMessage>, done: () => void) => void;
};

type Draft = { text: string; key: string; tried: string };

/**
 * A form to write a message. The text survives a failure and a reload. Sending the same message
 * again reuses its key, so that it arrives only once even if the first response was lost.
 */
export function MessageForm({
  name,
  label = "Message",
  paid,
  maySendPhotos = false,
  busy,
  error,
  onSend,
}: MessageFormProps) {
  const attached = useAttachments(sendPrivatePhoto, maxAttachedPhotos);
  const { ids: photos } = attached;
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
    const text = values.text.trim() === "" ? photoText(photos.length) : values.text;
    if (busy || text === "" || !attached.areSent()) return;
    const tried = [text, ...photos].join(" ");
    const key = values.tried === tried ? values.key : crypto.randomUUID();
    change({ key, tried });
    onSend({ text, key, ...(photos.length > 0 && { photos }) }, () => {
      clearDraft(draft.name);
      setValues(empty);
      attached.clear();
    });
  };
  return (
    <>
      {!paid && <p className="mt-6 text-muted text-sm">{hint}</p>}
      <form onSubmit={submit} className="message-form">
        <Field label={label} error={undefined}>
          {(control) => (
            <textarea
              {...control}
              rows={2}
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
        <div className="flex items-end justify-between gap-3">
          {maySendPhotos ? <PhotoAttachments photos={attached} /> : <span />}
          <Button type="submit" busy={busy || attached.isSending}>
            Send
          </Button>
        </div>
      </form>
    </>
  );
}

const empty: Draft = { text: "", key: "", tried: "" };

const hint =
  "Phone numbers, email addresses and links in messages are hidden until the laptop is paid for on Secondlap. A hold shows you both how to reach each other.";

/** The text of a message that has only photos, for the list and for screen readers. */
function photoText(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "A photo" : `${count} photos`;
}

function sendOnCtrlEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey))
    event.currentTarget.form?.requestSubmit();
}
