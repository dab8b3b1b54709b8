import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";

export type ConfirmDialogProps = {
  title: string;
  message: string;
  /** Explains the action's effect if the action could be mistaken for another one. */
  note?: string | undefined;
  confirm: string;
  look?: "primary" | "danger";
  busy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** The texts of the dialog before something is deleted (specification 8). */
export function deletionTexts(name: string) {
  return {
    title: "Are you sure you want to delete?",
    message: `If you delete ${name}. It cannot be undone.`,
    confirm: "Delete",
  };
}

/** The reusable confirmation modal (specification 2). */
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
