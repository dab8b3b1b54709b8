import { Trash2 } from "lucide-react";
import { ConfirmButton } from "./ConfirmButton.tsx";

type DeleteButtonProps = {
  name: string;
  note?: string;
  busy: boolean;
  /** Calls `done` when settled. */
  onDelete: (done: () => void) => void;
};

/** A Delete button with the confirmation of specification 8. */
export function DeleteButton({ name, note, busy, onDelete }: DeleteButtonProps) {
  return (
    <ConfirmButton
      look="danger"
      label={`Delete ${name}`}
      title="Are you sure you want to delete?"
      message={`If you delete ${name}. It cannot be undone.`}
      note={note}
      confirm="Delete"
      busy={busy}
      onConfirm={onDelete}
    >
      <Trash2 className="size-4" aria-hidden="true" />
      Delete
    </ConfirmButton>
  );
}
