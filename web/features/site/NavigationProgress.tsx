import { useNavigation } from "react-router";

/** A progress bar for navigations, hidden during short waits. */
export function NavigationProgress() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  return (
    <div role="status" className="navigation-progress">
      <span className="sr-only">Loading page</span>
    </div>
  );
}
