import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { type NeedsYou, type NeedsYouItem, readNeedsYou } from "#contract/needs-you.ts";
import { readAdminOverview, readSellerOverview } from "#contract/overview.ts";
import { formatPrice } from "#contract/price.ts";
import { firstStepsPath } from "#web/admin-paths.ts";
import { queryOf } from "#web/api/api.ts";
import { ToDo } from "#web/domain/deals/ToDo.tsx";
import { paths } from "#web/paths.ts";
import { DataTable } from "#web/ui/DataTable.tsx";
import {
  formatCappedCount,
  formatLocalDay,
  formatShortDay,
} from "#web/ui/format-dates-and-counts.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { ButtonLink, TextLink } from "#web/ui/Link.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Trend } from "./Trend.tsx";

export function SellerOverview() {
  const overview = useQuery(queryOf(readSellerOverview, {}));
  return (
    <QueryState query={overview} skeleton={skeleton}>
      {({ products, earned, weeks }) => (
        <>
          <Figures
            figures={{
              "For sale": products.available,
              "On hold": products.booked,
              Sold: products.sold,
              "Total earned": <TextLink to={paths.payouts()}>{formatPrice(earned)}</TextLink>,
            }}
          />
          {Object.values(products).some(Boolean) || weeks.some(({ views }) => views > 0) ? (
            <Weeks
              weeks={weeks}
              columns={{ Earnings: "earned", Views: "views", Holds: "holds", Sales: "sales" }}
              money="earned"
            />
          ) : (
            <Notice title="Nothing to show yet" drawing>
              <p>Once you have a laptop for sale, its views, holds and sales appear here.</p>
              <ButtonLink to={paths.addProduct()}>Add Product</ButtonLink>
            </Notice>
          )}
        </>
      )}
    </QueryState>
  );
}

export function AdminOverview() {
  return (
    <>
      <AdminToDo />
      <AdminFigures />
    </>
  );
}

function AdminFigures() {
  const overview = useQuery(queryOf(readAdminOverview, {}));
  return (
    <QueryState query={overview} skeleton={skeleton}>
      {({ members, products, openReports, turnover, promotions, fees, weeks }) => (
        <>
          <h2 className="mb-3 text-heading">The shop today</h2>
          <Figures
            figures={{
              Buyers: members.buyers,
              Sellers: members.sellers,
              "Verified sellers": members.verified,
              "For sale": products.available,
              "On hold": products.booked,
              Sold: products.sold,
              "Open reports": openReports,
              "Total turnover": formatPrice(turnover),
              "Cost of invitations": formatPrice(promotions),
            }}
          />
          <h2 className="mb-3 text-heading">Fees in these twelve weeks</h2>
          <Figures
            figures={{
              "Our fees": formatPrice(fees.earned),
              "Card provider's fees": formatPrice(fees.charged),
              "Card fees per completed sale":
                fees.chargedPerSale === null ? "–" : formatPrice(fees.chargedPerSale),
            }}
          />
          <Weeks
            weeks={weeks}
            columns={{
              Turnover: "turnover",
              "New members": "members",
              "New listings": "listings",
              "New reports": "reports",
            }}
            money="turnover"
          />
        </>
      )}
    </QueryState>
  );
}

function AdminToDo() {
  const found = useQuery(queryOf(readNeedsYou, {}));
  return (
    <QueryState query={found} skeleton={<div className="skeleton mb-6 h-24 rounded-box" />}>
      {(answer) => {
        const steps = stepsOf(answer).filter(({ count }) => count > 0);
        if (steps.length > 0) return <ToDo steps={steps} />;
        return <p className="mb-6 text-muted">Nothing waits for you.</p>;
      }}
    </QueryState>
  );
}

function stepsOf({ items, queues }: NeedsYou) {
  const complaints = items.filter(({ reason }) => reason === "complaint");
  const step = (to: string, count: number, [one, many]: [string, string], by = "") => ({
    to,
    count,
    task: `${formatCappedCount(count)} ${count === 1 ? one : many}${by}`,
  });
  const { reports, messages, reviews, listings, invitations, problems, firstSteps } = queues;
  return [
    step(firstStepsPath, firstSteps, ["first step to take", "first steps to take"]),
    step(paths.needsYou(), items.length, ["thing needs you", "things need you"], firstBy(items)),
    step(
      paths.complaints(),
      complaints.length,
      ["complaint to decide", "complaints to decide"],
      firstBy(complaints),
    ),
    step(paths.health(), problems, ["problem with the shop", "problems with the shop"]),
    step(paths.reportedItems(), reports, ["report about a laptop", "reports about laptops"]),
    step(paths.messages(), messages, ["reported conversation", "reported conversations"]),
    step(paths.reviews(), reviews, ["reported review", "reported reviews"]),
    step(paths.listingsToCheck(), listings, ["listing to check", "listings to check"]),
    step(paths.invitations(), invitations, ["invitation to check", "invitations to check"]),
  ];
}

/** The items are sorted by deadline, so the first is the earliest. */
function firstBy([first]: NeedsYouItem[]): string {
  return first?.deadline ? `, the first by ${formatLocalDay(first.deadline)}` : "";
}

type WeeksProps<K extends string> = {
  weeks: ({ monday: string } & Record<K, number>)[];
  /** Field names by column title. */
  columns: Record<string, K>;
  money: K;
};

function Weeks<K extends string>({ weeks, columns, money }: WeeksProps<K>) {
  const mondays = weeks.map(({ monday }) => monday);
  const format = (key: K) => (value: number) =>
    key === money ? formatPrice(value) : value.toLocaleString("en-US");
  return (
    <>
      <h2 className="mb-3 text-heading">Week by week</h2>
      <div className="grid gap-5 sm:grid-cols-2">
        {Object.entries(columns).map(([title, key]) => (
          <Trend
            key={title}
            title={title}
            mondays={mondays}
            values={weeks.map((week) => week[key])}
            format={format(key)}
          />
        ))}
      </div>
      <details className="mt-6">
        <summary className="unfold link-hover">
          <Icon name="chevron-right" className="size-4" />
          View as table
        </summary>
        <div className="mt-4">
          <DataTable
            caption="Week by week"
            columns={[
              { header: "Week of", cell: ({ monday }) => formatShortDay(monday) },
              ...Object.entries(columns).map(([header, key]) => ({
                header,
                as: "amount" as const,
                cell: (week: Record<K, number>) => format(key)(week[key]),
              })),
            ]}
            rows={weeks.toReversed().map((week) => ({ ...week, _id: week.monday }))}
          />
        </div>
      </details>
    </>
  );
}

const skeleton = (
  <>
    <div className="skeleton mb-6 h-[5.6rem]" />
    <div className="grid gap-5 sm:grid-cols-2">
      {["one", "two", "three", "four"].map((place) => (
        <div key={place} className="skeleton h-[17.2rem] rounded-box" />
      ))}
    </div>
  </>
);

function Figures({ figures }: { figures: Record<string, ReactNode> }) {
  const columns = Object.keys(figures).length % 3 === 0 ? "sm:grid-cols-3" : "sm:grid-cols-4";
  return (
    <dl
      className={`mb-6 grid grid-cols-2 gap-x-6 gap-y-4 rounded-box bg-secondary px-5 py-4 text-secondary-content ${columns}`}
    >
      {Object.entries(figures).map(([name, figure]) => (
        <div key={name}>
          <dt className="text-sm">{name}</dt>
          <dd className="font-display font-semibold text-2xl tabular-nums">{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
