import { type ReactNode, useState } from "react";
import { Button } from "./Button.tsx";
import { ConfirmDialog, deletionTexts } from "./ConfirmDialog.tsx";
import { Icon } from "./Icon.tsx";

type ConfirmButtonProps = {
  look: "primary" | "plain" | "quiet" | "danger";
  /** Includes the item's name. */
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

/** An open dialog keeps its text even if the props change. */
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
