import { type ReactNode, useState } from "react";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { Icon } from "./Icon.tsx";

type ConfirmDialogProps = {
  title: string;
  message: string;
  /** Explains the action's effect if the action could be mistaken for another one. */
  note?: string | undefined;
  confirm: ReactNode;
  look?: "primary" | "danger";
  busy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** The reusable confirmation modal (specification 2.1). */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, message, note, confirm, look = "danger", busy, onConfirm, onCancel } = props;
  return (
    <Dialog title={title} onClose={onCancel}>
      <p dir="auto" className="user-text">
        {message}
      </p>
      {note && <p className="text-muted text-sm">{note}</p>}
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="plain" onClick={onCancel}>
          Cancel
        </Button>
        <Button look={look} busy={busy} onClick={onConfirm}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}

type Question = Pick<ConfirmDialogProps, "title" | "message" | "note" | "confirm" | "look">;

type ConfirmButtonProps = Pick<Question, "title" | "message" | "note"> & {
  look?: "primary" | "plain" | "quiet" | "danger";
  /** A name for screen readers that includes the item's name, if `children` doesn't. */
  label?: string;
  /** The text of the dialog's button, if it isn't `children`. */
  confirm?: string;
  busy: boolean;
  /** Must call `done` when the action has succeeded or failed. */
  onConfirm: (done: () => void) => void;
  children: ReactNode;
};

/** An open dialog keeps its text even if the props change. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { look = "plain", label, children, confirm = children, busy, onConfirm, ...texts } = props;
  const [asked, setAsked] = useState<Question>();
  const ask = () =>
    setAsked({ ...texts, confirm, look: look === "primary" ? "primary" : "danger" });
  const close = () => setAsked(undefined);
  return (
    <>
      <Button look={look} size="small" aria-label={label} onClick={ask}>
        {children}
      </Button>
      {asked && (
        <ConfirmDialog {...asked} busy={busy} onConfirm={() => onConfirm(close)} onCancel={close} />
      )}
    </>
  );
}

type DeleteButtonProps = {
  name: string;
  note?: string;
  busy: boolean;
  onDelete: (done: () => void) => void;
};

export function DeleteButton({ name, note, busy, onDelete }: DeleteButtonProps) {
  return (
    <ConfirmButton
      label={`Delete ${name}`}
      {...deletionTexts(name)}
      note={note}
      busy={busy}
      onConfirm={onDelete}
    >
      <Icon name="trash" className="size-4" />
      Delete
    </ConfirmButton>
  );
}

/** The texts of the dialog before something is deleted (specification 8). */
export function deletionTexts(name: string) {
  return {
    title: "Are you sure you want to delete?",
    message: `If you delete ${name}. It cannot be undone.`,
    confirm: "Delete",
  };
}
