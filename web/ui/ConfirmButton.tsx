import { type ReactNode, useState } from "react";
import { Button } from "./Button.tsx";
import { ConfirmDialog, type ConfirmDialogProps, deletionTexts } from "./ConfirmDialog.tsx";
import { Icon } from "./Icon.tsx";

type Question = Pick<ConfirmDialogProps, "title" | "message" | "note" | "confirm"> & {
  look: "primary" | "plain" | "quiet" | "danger";
};

type ConfirmButtonProps = {
  /** Includes the item's name, if `children` doesn't. */
  label?: string;
  busy: boolean;
  /** Must call `done` when the action has succeeded or failed. */
  onConfirm: (done: () => void) => void;
  children: ReactNode;
} & Question;

/** An open dialog keeps its text even if the props change. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, busy, onConfirm, children, ...question } = props;
  const [asked, setAsked] = useState<Question>();
  const close = () => setAsked(undefined);
  return (
    <>
      <Button
        look={question.look}
        size="small"
        aria-label={label}
        onClick={() => setAsked(question)}
      >
        {children}
      </Button>
      {asked && (
        <ConfirmDialog
          {...asked}
          look={asked.look === "primary" ? "primary" : "danger"}
          busy={busy}
          onConfirm={() => onConfirm(close)}
          onCancel={close}
        />
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
      look="plain"
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
