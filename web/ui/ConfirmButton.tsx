import { type ReactNode, useState } from "react";
import { Button } from "./Button.tsx";
import { ConfirmDialog } from "./ConfirmDialog.tsx";

type ConfirmButtonProps = {
  look: "primary" | "plain" | "quiet" | "danger";
  /** The accessible name, which includes the item's name. */
  label: string;
  title: string;
  message: string;
  note?: string | undefined;
  confirm: string;
  busy: boolean;
  /** Must call `done` when the action has succeeded or failed. */
  onConfirm: (done: () => void) => void;
  children: ReactNode;
};

type Question = Pick<ConfirmButtonProps, "title" | "message" | "note" | "confirm" | "look">;

/** A button that opens a confirmation dialog. The text of an open dialog doesn't change. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { look, label, title, message, note, confirm, busy, onConfirm, children } = props;
  const [asked, setAsked] = useState<Question>();
  const close = () => setAsked(undefined);
  return (
    <>
      <Button
        look={look}
        size="small"
        aria-label={label}
        onClick={() => setAsked({ title, message, note, confirm, look })}
      >
        {children}
      </Button>
      {asked && (
        <ConfirmDialog
          title={asked.title}
          message={asked.message}
          note={asked.note}
          confirm={asked.confirm}
          {...(asked.look === "primary" && { look: asked.look })}
          busy={busy}
          onConfirm={() => onConfirm(close)}
          onCancel={close}
        />
      )}
    </>
  );
}
