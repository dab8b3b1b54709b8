import "./action-menu.css";
import { type ReactNode, useId } from "react";

/** `of` is the item's name. */
export function ActionMenu({ of, children }: { of: string; children: ReactNode }) {
  const id = useId();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        aria-label={`More actions: ${of}`}
        className="btn btn-ghost btn-sm btn-circle"
      >
        <span aria-hidden="true">⋯</span>
      </button>
      <div id={id} popover="auto" className="action-menu">
        {children}
      </div>
    </>
  );
}
