import { Icon } from "../../ui/Icon.tsx";

export function VerifiedIcon() {
  return (
    <span className="verified" title="Verified seller">
      <Icon name="badge-check" className="size-4.5" />
      <span className="sr-only">Verified seller</span>
    </span>
  );
}
