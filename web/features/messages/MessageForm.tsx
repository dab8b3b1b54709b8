import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from "react";
import type { z } from "zod";
import { maxMessageLength, type newMessage } from "#contract/messages.ts";
import { PhotoAttachments, useAttachments } from "#web/domain/photos/PhotoAttachments.tsx";
import { Button } from "#web/ui/Button.tsx";
import { clearDraft, readDraft, saveDraft } from "#web/ui/drafts.ts";
import { controlClass } from "#web/ui/Field.tsx";
import { FormMessage } from "#web/ui/Form.tsx";
import "./messages.css";

type MessageFormProps = {
  /** Identifies the stored draft. */
  name: string;
  label?: string;
  /** False for a first message, and for a buyer without a deal. */
  maySendPhotos?: boolean;
  busy: boolean;
  error: Error | null;
  /** Sends the message, and calls `done` after success. */
  onSend: (message: z.input<typeof newMessage>, done: () => void) => void;
};

type Draft = { text: string; key: string; tried: string };

/**
 * Keeps the typed text after a failure and a reload. An unchanged message that is sent again reuses
 * its key, so it arrives only once.
 */
export function MessageForm({
  name,
  label = "Message",
  maySendPhotos = false,
  busy,
  error,
  onSend,
}: MessageFormProps) {
  const textarea = useRef<HTMLTextAreaElement>(null);
  const hint = useId();
  const attached = useAttachments();
  const { ids: photos } = attached;
  const draft = { name: `message ${name}`, fields: ["text", "key", "tried"] } as const;
  const [values, setValues] = useState<Draft>(() => ({ ...empty, ...readDraft<Draft>(draft) }));
  const change = (changed: Partial<Draft>) => {
    const next = { ...values, ...changed };
    setValues(next);
    saveDraft(draft, next);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    textarea.current?.focus();
    const text = values.text.trim() === "" ? photoText(photos.length) : values.text;
    if (busy || text === "" || !attached.areSent()) return;
    const tried = [text, ...photos].join(" ");
    const key = values.tried === tried ? values.key : crypto.randomUUID();
    change({ key, tried });
    onSend({ text, key, ...(photos.length > 0 && { photos }) }, () => {
      const now = textarea.current?.value ?? "";
      const typedSince = now.startsWith(values.text) ? now.slice(values.text.length) : now;
      change({ ...empty, text: typedSince });
      if (typedSince === "") clearDraft(draft.name);
      attached.clear();
    });
  };
  return (
    <form onSubmit={submit} className="composer">
      <FormMessage message={error?.message} />
      <textarea
        ref={textarea}
        rows={1}
        aria-label={label}
        aria-describedby={hint}
        placeholder={label}
        dir="auto"
        maxLength={maxMessageLength}
        className={`textarea ${controlClass}`}
        value={values.text}
        onChange={({ target }) => change({ text: target.value })}
        onKeyDown={sendOnEnter}
      />
      <div className="flex items-end gap-3">
        {maySendPhotos && <PhotoAttachments photos={attached} />}
        <p id={hint} className="flex-1 self-center text-muted text-xs">
          <span className="pointer-coarse:hidden">Enter sends. Shift+Enter starts a new line.</span>
        </p>
        <Button type="submit" size="small" busy={busy || attached.isSending}>
          Send
        </Button>
      </div>
    </form>
  );
}

export function HiddenContacts() {
  return (
    <p className="mx-auto mb-4 max-w-prose text-center text-muted text-sm">
      Phone numbers, email addresses and links in messages are hidden until the laptop is paid for
      here. A hold shows you both how to reach each other.
    </p>
  );
}

const empty: Draft = { text: "", key: "", tried: "" };

/** The text of a message that has only photos; empty without photos. */
function photoText(count: number): string {
  if (count === 0) return "";
  return count === 1 ? "A photo" : `${count} photos`;
}

/** Sends on Enter without Shift, except on touch screens or while an input method uses Enter. */
function sendOnEnter(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== "Enter" || event.shiftKey) return;
  // Safari ends a composition before this event, which then has key code 229.
  if (event.nativeEvent.isComposing || event.keyCode === 229) return;
  if (matchMedia("(pointer: coarse)").matches) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
