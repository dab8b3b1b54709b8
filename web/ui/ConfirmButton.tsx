import { type ReactNode, useState } from "react";
import { Button } from "./Button.tsx";
import { ConfirmDialog } from "./ConfirmDialog.tsx";

type ConfirmButtonProps = {
  /** The button's own words, and what it is called for screen readers. */
  children: ReactNode;
  label: string;
  title: string;
  message: string;
  /** What the dialog's button says. */
  confirm: string;
  busy: boolean;
  /** Does it, and says when that is over, however it went. */
  onConfirm: (done: () => void) => void;
};

/** A button for what cannot be undone: it asks first. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { children, label, onConfirm, ...dialog } = props;
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <Button look="danger" size="small" aria-label={label} onClick={() => setAsking(true)}>
        {children}
      </Button>
      {asking && <ConfirmDialog {...dialog} onConfirm={() => onConfirm(close)} onCancel={close} />}
    </>
  );
}
