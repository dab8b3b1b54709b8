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

/** A button that asks for confirmation in a dialog. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { look, label, title, message, note, confirm, busy, onConfirm, children } = props;
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <Button look={look} size="small" aria-label={label} onClick={() => setAsking(true)}>
        {children}
      </Button>
      {asking && (
        <ConfirmDialog
          title={title}
          message={message}
          note={note}
          confirm={confirm}
          {...(look === "primary" && { look })}
          busy={busy}
          onConfirm={() => onConfirm(close)}
          onCancel={close}
        />
      )}
    </>
  );
}
