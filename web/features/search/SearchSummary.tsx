import { Link } from "react-router";
import type { SearchAnswer } from "#contract/search.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { formatCount } from "./facets.ts";
import { type SearchAddress, searchWith, withoutFilter } from "./search-address.ts";

type SummaryProps = { answer: SearchAnswer; address: SearchAddress };

export function SearchSummary({ answer, address }: SummaryProps) {
  const { corrected, loosened, place } = answer;
  return (
    <div className="mb-4 flex flex-col gap-3">
      <p role="status">
        {countText(answer)}
        {corrected.length > 0 &&
          ` for “${corrected.map(({ to }) => to).join(" ")}” instead of “${corrected.map(({ from }) => from).join(" ")}”`}
        {loosened && `. ${loosenedText(loosened)}`}
      </p>
      <Chips answer={answer} address={address} />
      {place && place.others.length > 0 && <OtherTowns answer={answer} address={address} />}
    </div>
  );
}

const eitherOf = new Intl.ListFormat("en-US", { type: "disjunction" });

function loosenedText({ filter, label, missing }: NonNullable<SearchAnswer["loosened"]>): string {
  if (filter !== null) return `No laptop matches everything. These match all but “${label}”.`;
  const none = missing.map((word) => `“${word}”`);
  return [
    "No laptop matches all of your words; these match some.",
    ...(none.length > 0 ? [`None of them has ${eitherOf.format(none)}.`] : []),
  ].join(" ");
}

/** Such as "Show about 3,200 laptops". */
export function showText(answer: SearchAnswer): string {
  return answer.total === 0 ? "Close" : `Show ${countText(answer).replace("About", "about")}`;
}

function countText({ total, sampled }: SearchAnswer): string {
  if (total === 0) return "No laptops found";
  const laptops = total === 1 ? "laptop" : "laptops";
  return `${sampled ? "About " : ""}${formatCount(total)} ${laptops}`;
}

/** Omits a category page's own category, which can't be removed. */
function Chips({ answer: { filters, lines, excluded, loosened }, address }: SummaryProps) {
  const shown = filters.filter(
    ({ filter }) => filter !== "category" || address.category === undefined,
  );
  const chips = [
    ...lines.map(({ label, rest }) => ({ filter: "line", label, changes: { q: rest } })),
    ...shown.map(({ filter, label, rest }) => ({
      filter,
      label,
      changes: { ...withoutFilter(address, filter), ...(rest !== null && { q: rest }) },
    })),
    ...excluded.map(({ text, rest }) => ({
      filter: "without",
      label: `without ${text}`,
      changes: { q: rest },
    })),
  ];
  if (chips.length === 0) return null;
  return (
    <nav aria-label="Filters in use" className="chips">
      {chips.map(({ filter, changes, ...chip }) => {
        const isLeftOut = loosened?.filter === filter;
        const label = isLeftOut ? `${chip.label} (left out)` : chip.label;
        return (
          <Link
            key={`${filter} ${chip.label}`}
            data-left-out={isLeftOut || undefined}
            to={searchWith(address, changes)}
            aria-label={`Remove filter: ${label}`}
            preventScrollReset
          >
            {label} <Icon name="x" className="size-3.5" />
          </Link>
        );
      })}
    </nav>
  );
}

function OtherTowns({ answer: { place, filters }, address }: SummaryProps) {
  const rest = filters.find(({ filter }) => filter === "near")?.rest;
  return (
    <nav aria-label="Towns of the same name" className="chips">
      Did you mean:
      {place?.others.map((name) => (
        <Link
          key={name}
          to={searchWith(address, { near: name, ...(typeof rest === "string" && { q: rest }) })}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
