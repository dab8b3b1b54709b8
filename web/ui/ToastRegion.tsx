import { useEffect } from "react";
import { Toaster, toast } from "sonner";
import "sonner/dist/styles.css";
import "./toaster.css";

export { toast };

export function ToastRegion() {
  useEffect(endWithPage, []);
  return <Toaster position="top-right" closeButton offset={below} mobileOffset={belowOnPhone} />;
}

/** Below the navigation bar and any dashboard tabs (`web/ui/layout.css`), to cover neither. */
const top = "var(--toasts-top)";
const below = { top, right: "1.25rem" };
const belowOnPhone = { top, left: "1rem", right: "1rem" };

/** Success messages end with the page, unless the success causes the navigation, as after login. */
function endWithPage(): () => void {
  const leave = new AbortController();
  const { signal } = leave;
  const end = () => {
    for (const one of toast.getToasts())
      if ("type" in one && one.type === "success") toast.dismiss(one.id);
  };
  const follow = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest("a[href]")) end();
  };
  document.addEventListener("click", follow, { signal });
  addEventListener("popstate", end, { signal });
  return () => leave.abort();
}
