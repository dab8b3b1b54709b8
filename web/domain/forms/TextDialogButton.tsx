import { type ComponentProps, lazy, Suspense, useState } from "react";
import type { Call } from "#contract/call.ts";
import { Button } from "#web/ui/Button.tsx";
import type { TextDialogProps } from "./TextDialog.tsx";

/** Loaded on demand, because the form needs the form library. */
const TextDialog = lazy(() => import("./TextDialog.tsx"));

type TextDialogButtonProps<C extends Call> = Omit<TextDialogProps<C>, "onClose"> &
  Required<Pick<ComponentProps<typeof Button>, "look">> &
  Pick<ComponentProps<typeof Button>, "aria-label" | "children">;

/** A button that opens a dialog, which asks for a text and sends it. */
export function TextDialogButton<C extends Call>(props: TextDialogButtonProps<C>) {
  const { look, "aria-label": ariaLabel, children, ...dialog } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look={look} size="small" aria-label={ariaLabel} onClick={() => setOpen(true)}>
        {children}
      </Button>
      {isOpen && (
        <Suspense>
          <TextDialog {...dialog} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
