import { ConfirmButton } from "./ConfirmButton.tsx";
import { Icon } from "./Icon.tsx";

type DeleteButtonProps = {
  name: string;
  note?: string;
  busy: boolean;
  /** Must call `done` when the action has succeeded or failed. */
  onDelete: (done: () => void) => void;
};

/** A Delete button with the confirmation that specification 8 requires. */
export function DeleteButton({ name, note, busy, onDelete }: DeleteButtonProps) {
  return (
    <ConfirmButton
      look="plain"
      label={`Delete ${name}`}
      title="Are you sure you want to delete?"
      message={`If you delete ${name}. It cannot be undone.`}
      note={note}
      confirm="Delete"
      busy={busy}
      onConfirm={onDelete}
    >
      <Icon name="trash" className="size-4" />
      Delete
    </ConfirmButton>
  );
}
