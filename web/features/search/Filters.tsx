import { type InputEvent, type ReactNode, type ToggleEvent, useId } from "react";
import { Link } from "react-router";
import { milesChoices, milesText, toKm, usualWithin } from "#contract/distance.ts";
import { currencySign, formatPrice } from "#contract/price.ts";
import type { SearchAnswer } from "#contract/search.ts";
import { Button } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { formatCount, type ShownFacet, shownFacets } from "./facets.ts";
import type { SearchAddress } from "./search-address.ts";

type FilterSheetProps = {
  /** The label of the button that closes the sheet, such as the number of results. */
  done: string;
  onToggle: (isOpen: boolean) => void;
  children: ReactNode;
};

/**
 * A sheet that `ResultsBar` opens, or on wide screens a column beside search results (search.css).
 * Must stay mounted while filters are chosen.
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

type FacetsProps = {
  answer: SearchAnswer;
  address: SearchAddress;
  nameOf: (categoryId: string) => string;
};

export function FacetList({ answer, address, nameOf }: FacetsProps) {
  const facets = shownFacets(answer, { address, nameOf });
  return (
    <>
      <PriceFilter answer={answer} address={address} />
      {facets.map((facet) => (
        <FacetLinks key={facet.title} {...facet} />
      ))}
      <YearFilter answer={answer} address={address} />
      <PlaceFilter answer={answer} address={address} />
    </>
  );
}

function FacetLinks({ title, choices }: ShownFacet) {
  return (
    <nav aria-label={title} className="facet">
      <h2>{title}</h2>
      {choices.map(({ value, label, count, isInForce, to }) => (
        <Link
          key={value}
          to={to}
          rel="nofollow"
          preventScrollReset
          aria-current={isInForce ? "true" : undefined}
          // The style sheet shows the count, because an element per count makes the page heavy.
          data-count={count}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

type FilterFormProps = {
  title: string;
  address: SearchAddress;
  /** The parameters that the form's own fields set. */
  fields: string[];
  children: ReactNode;
};

function FilterForm({ title, address, fields, children }: FilterFormProps) {
  const { path, search } = address;
  return (
    <form
      action={path}
      className="facet facet-form"
      key={fields.map((name) => search[name]).join(" ")}
    >
      <h2>{title}</h2>
      <HiddenSearch address={address} without={fields} />
      {children}
      <Button type="submit" look="plain" aria-label={`Apply: ${title}`}>
        Apply
      </Button>
    </form>
  );
}

/** Keeps the search's parameters in a form, except those in `without`, which the form sets. */
export function HiddenSearch({ address, without }: { address: SearchAddress; without: string[] }) {
  return Object.entries(address.search)
    .filter(([name]) => name !== "cursor" && !without.includes(name))
    .map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />);
}

type FilterProps = Omit<FacetsProps, "nameOf">;

function PriceFilter({ answer, address }: FilterProps) {
  const { minPrice = "", maxPrice = "" } = address.search;
  const bars = (answer.facets.price?.values ?? []).map(({ value, count }) => ({
    label: formatPrice(Number(value)),
    count,
  }));
  return (
    <FilterForm title="Price" address={address} fields={["minPrice", "maxPrice"]}>
      <Histogram name="Laptops by price" bars={bars} />
      <input
        className="input"
        name="minPrice"
        defaultValue={minPrice}
        inputMode="decimal"
        pattern="\s*\d+(\.\d\d?)?\s*"
        title="An amount such as 450"
        onInput={checkPrices}
        aria-label={`Lowest price (${currencySign()})`}
        placeholder={`${currencySign()} min`}
      />
      <input
        className="input"
        name="maxPrice"
        defaultValue={maxPrice}
        inputMode="decimal"
        pattern="\s*\d+(\.\d\d?)?\s*"
        title="An amount such as 450"
        onInput={checkPrices}
        aria-label={`Highest price (${currencySign()})`}
        placeholder={`${currencySign()} max`}
      />
    </FilterForm>
  );
}

/** Keeps the browser from submitting, because a refusal by the server would replace the results. */
function checkPrices({ currentTarget: { form } }: InputEvent<HTMLInputElement>) {
  if (!form) return;
  const { minPrice, maxPrice } = form;
  const isSwapped = maxPrice.value !== "" && Number(minPrice.value) > Number(maxPrice.value);
  maxPrice.setCustomValidity(isSwapped ? "The highest price can't be below the lowest price." : "");
}

/** Years of purchase as bars, and as one field in the URL's format. */
function YearFilter({ answer, address }: FilterProps) {
  const values = answer.facets.year?.values ?? [];
  return (
    <FilterForm title="Year of purchase" address={address} fields={["year"]}>
      <Histogram
        name="Laptops by year of purchase"
        bars={values.map(({ value, count }) => ({ label: value, count }))}
      />
      <input
        className="input facet-wide"
        name="year"
        defaultValue={address.search.year ?? ""}
        pattern="(19|20)\d\d(-((19|20)\d\d)?)?"
        title="A year such as 2021, or a range such as 2019-2022"
        aria-label="A year such as 2021, or years such as 2019-2022"
        placeholder={
          values.length > 1 ? `${values[0]?.value}-${values.at(-1)?.value}` : "2019-2022"
        }
      />
    </FilterForm>
  );
}

/** In kilometers, as in URLs. */
const distances = milesChoices.map(toKm);

function PlaceFilter({ answer, address }: FilterProps) {
  const { near = "", within = "" } = address.search;
  const [town] = answer.facets.near?.values ?? [];
  const isChosen = within !== "" && Number(within) !== usualWithin;
  const choices = new Set([...distances, ...(isChosen ? [Number(within)] : [])]);
  return (
    <FilterForm title="Place" address={address} fields={["near", "within"]}>
      <input
        className="input"
        name="near"
        defaultValue={near}
        maxLength={80}
        aria-label="Near this town"
        placeholder={`Town, such as ${town?.value.split(",")[0] ?? "Leeds"}`}
      />
      <select
        className="input facet-wide"
        name="within"
        defaultValue={isChosen ? within : ""}
        aria-label="Distance from the town"
      >
        <option value="">{`Within ${milesText(usualWithin)}`}</option>
        {[...choices].map((km) => (
          <option key={km} value={km}>{`Within ${milesText(km)}`}</option>
        ))}
      </select>
    </FilterForm>
  );
}

type Bar = { label: string; count: number };

/** Bars, drawn as one path to keep the page light. The accessible name lists every figure. */
function Histogram({ name, bars }: { name: string; bars: Bar[] }) {
  const laptops = bars.reduce((sum, { count }) => sum + count, 0);
  if (bars.length < 3 || laptops < 10) return null;
  const highest = Math.max(...bars.map(({ count }) => count));
  const shapes = bars.map(({ count }, index) => {
    const height = Math.max(2, Math.round((100 * count) / highest));
    return `M${index * 10} 100v-${height}h9v${height}z`;
  });
  const figures = bars.map(({ label, count }) => `${label}: ${formatCount(count)}`).join(", ");
  return (
    <svg
      className="histogram"
      viewBox={`0 0 ${bars.length * 10 - 1} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${name}. ${figures}`}
    >
      <path d={shapes.join("")} />
    </svg>
  );
}
