import { Toaster } from "sonner";
import "sonner/dist/styles.css";
import "./toaster.css";

export { toast } from "sonner";

export function ToastRegion() {
  return <Toaster position="top-right" closeButton offset={below} mobileOffset={belowOnPhone} />;
}

/**
 * Toasts are below the navigation bar and any dashboard tabs (`web/ui/layout.css`), to cover
 * neither.
 */
const top = "var(--toasts-top)";
const below = { top, right: "1.25rem" };
const belowOnPhone = { top, left: "1rem", right: "1rem" };
