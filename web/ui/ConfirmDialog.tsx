import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";

type ConfirmDialogProps = {
  title: string;
  message: string;
  confirm: string;
  busy: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/** Asks before something that cannot be undone (specification 2: a reusable confirmation modal). */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, message, confirm, busy, onConfirm, onCancel } = props;
  return (
    <Dialog title={title} onClose={onCancel}>
      <p>{message}</p>
      <div className="flex flex-wrap justify-end gap-3">
        <Button look="plain" onClick={onCancel}>
          Cancel
        </Button>
        <Button look="danger" busy={busy} onClick={onConfirm}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  );
}
