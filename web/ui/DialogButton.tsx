import { type ComponentProps, type ReactNode, Suspense, useState } from "react";
import { Button } from "./Button.tsx";

type DialogButtonProps = ComponentProps<typeof Button> & {
  dialog: (onClose: () => void) => ReactNode;
};

/** A button that opens a dialog. The dialog's code may be loaded on demand. */
export function DialogButton(props: DialogButtonProps) {
  const { dialog, look = "plain", size = "small", ...button } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button {...button} look={look} size={size} onClick={() => setOpen(true)} />
      {isOpen && <Suspense>{dialog(() => setOpen(false))}</Suspense>}
    </>
  );
}
