import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import {
  changeSavedSearch,
  deleteSavedSearch,
  listSavedSearches,
  type SavedSearch,
  type SearchFrequency,
  searchFrequencies,
} from "#contract/saved-searches.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { CallButton } from "#web/api/CallButton.tsx";
import { paths } from "#web/paths.ts";
import { type Column, DataTable, serialNumber, TableSkeleton } from "#web/ui/DataTable.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";

const columns: Column<SavedSearch>[] = [
  serialNumber(),
  {
    header: "Search",
    as: "title",
    cell: ({ search, label, problem }) =>
      problem === null ? (
        <Link to={`${paths.search()}?${search}`} className="link-hover font-medium">
          {label}
        </Link>
      ) : (
        <>
          <p className="font-medium">{label}</p>
          <p className="text-muted text-sm">
            This search no longer works: {problem} Delete it, and save a new one.
          </p>
        </>
      ),
  },
  { header: "Emails", cell: (saved) => <FrequencySelect saved={saved} /> },
  {
    header: "Action",
    cell: ({ _id, label }) => (
      <CallButton
        aria-label={`Delete: ${label}`}
        call={deleteSavedSearch}
        request={{ params: { id: _id } }}
      >
        Delete
      </CallButton>
    ),
  },
];

export function SavedSearchesTable() {
  const saved = useQuery(queryOf(listSavedSearches, {}));
  return (
    <QueryState
      query={saved}
      skeleton={<TableSkeleton columns={columns} rows={1} />}
      empty={
        <p className="text-muted">
          None yet. Search for what you want and press Save search: we'll email you about new
          laptops.
        </p>
      }
    >
      {(rows) => <DataTable caption="Saved searches" columns={columns} rows={rows} />}
    </QueryState>
  );
}

const frequencyNames: Record<SearchFrequency, string> = {
  daily: "Once a day",
  instant: "At once",
  never: "No emails",
};

function FrequencySelect({ saved: { _id, label, frequency } }: { saved: SavedSearch }) {
  const change = useCall(changeSavedSearch);
  return (
    <select
      className="select"
      aria-label={`Emails about ${label}`}
      value={change.isPending ? change.variables.body.frequency : frequency}
      onChange={({ target }) =>
        change.mutate({
          params: { id: _id },
          body: { frequency: target.value as SearchFrequency },
        })
      }
    >
      {searchFrequencies.map((one) => (
        <option key={one} value={one}>
          {frequencyNames[one]}
        </option>
      ))}
    </select>
  );
}
