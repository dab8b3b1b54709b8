import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "./Button.tsx";
import { ConfirmDialog } from "./ConfirmDialog.tsx";

type DeleteButtonProps = {
  name: string;
  busy: boolean;
  /** Deletes, and says when that is over, however it went. */
  onDelete: (done: () => void) => void;
};

/** Delete, behind the confirmation of specification 8. */
export function DeleteButton({ name, busy, onDelete }: DeleteButtonProps) {
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <Button
        look="danger"
        size="small"
        aria-label={`Delete ${name}`}
        onClick={() => setAsking(true)}
      >
        <Trash2 className="size-4" aria-hidden="true" />
        Delete
      </Button>
      {asking && (
        <ConfirmDialog
          title="Are you sure you want to delete?"
          message={`If you delete ${name}. It cannot be undone.`}
          confirm="Delete"
          busy={busy}
          onConfirm={() => onDelete(close)}
          onCancel={close}
        />
      )}
    </>
  );
}
