import { type ReactNode, type ToggleEvent, useId } from "react";
import { Icon } from "#web/ui/Icon.tsx";
import type { SearchAddress } from "./search-address.ts";

type FilterSheetProps = {
  /** The label of the button that closes the sheet, such as the number of results. */
  done: string;
  onToggle: (isOpen: boolean) => void;
  children: ReactNode;
};

/**
 * A sheet that `ResultsBar` opens. On wide screens, the filters are always shown beside search
 * results. Must stay mounted while filters are chosen.
 */
export function FilterSheet({ done, onToggle, children }: FilterSheetProps) {
  const titleId = useId();
  return (
    <section
      id="filters"
      popover="auto"
      aria-labelledby={titleId}
      className="filter-sheet"
      onToggle={(event: ToggleEvent<HTMLElement>) => onToggle(event.newState === "open")}
    >
      <header>
        <h2 id={titleId}>Filters</h2>
        <CloseButton label="Close filters">
          <Icon name="x" className="size-5" />
        </CloseButton>
      </header>
      {children}
      <footer>
        <CloseButton className="btn btn-primary w-full">{done}</CloseButton>
      </footer>
    </section>
  );
}

type CloseButtonProps = { label?: string; className?: string; children: ReactNode };

function CloseButton({ label, className, children }: CloseButtonProps) {
  return (
    <button
      type="button"
      popoverTarget="filters"
      popoverTargetAction="hide"
      aria-label={label}
      className={className}
    >
      {children}
    </button>
  );
}

/** For a form that sets only some of the search's parameters. */
export function HiddenSearch({ address, without }: { address: SearchAddress; without: string[] }) {
  return Object.entries(address.search)
    .filter(([name]) => name !== "cursor" && !without.includes(name))
    .map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}
