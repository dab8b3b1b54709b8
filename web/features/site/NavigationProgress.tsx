import { useNavigation } from "react-router";

/** A thin bar at the top while the next page is on its way; short waits don't show it. */
export function NavigationProgress() {
  const { state } = useNavigation();
  if (state === "idle") return null;
  return (
    <div role="status" className="navigation-progress">
      <span className="sr-only">Loading page</span>
    </div>
  );
}
