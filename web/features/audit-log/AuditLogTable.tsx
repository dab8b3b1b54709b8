import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { type AuditEntry, listAuditLog } from "#contract/audit.ts";
import type { Request } from "#contract/call.ts";
import { formatPrice } from "#contract/price.ts";
import { auditLogPath, dealRecordPath } from "#web/admin-paths.ts";
import { listOf } from "#web/api/api.ts";
import { type Column, DataTable, TableSkeleton } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { formatDateTime } from "#web/ui/format.ts";
import { EmptyIllustration } from "#web/ui/illustrations.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { UserText } from "#web/ui/UserText.tsx";
import { auditSentence, nouns } from "./audit-sentence.ts";

const columns: Column<AuditEntry>[] = [
  { header: "When", cell: ({ at }) => <DateTime at={at} /> },
  {
    header: "What happened",
    as: "title",
    cell: (entry) => (
      <>
        <Sentence entry={entry} />
        <Details entry={entry} />
      </>
    ),
  },
];

type AuditLogTableProps = { filter: NonNullable<Request<typeof listAuditLog>["query"]> };

export function AuditLogTable({ filter }: AuditLogTableProps) {
  const entries = useInfiniteQuery(listOf(listAuditLog, { query: filter }));
  return (
    <QueryState
      query={entries}
      skeleton={<TableSkeleton columns={columns} rows={8} />}
      empty={
        <Notice title="No entries" drawing={<EmptyIllustration />}>
          Nothing matches this filter.
        </Notice>
      }
    >
      {(rows) => (
        <DataTable caption="Audit Log" columns={columns} rows={rows} keyOf={({ _id }) => _id} />
      )}
    </QueryState>
  );
}

/** The entry as a sentence with links. The tooltip has the stored entry, for experts. */
function Sentence({ entry }: { entry: AuditEntry }) {
  const { verb, object, objectId, detail } = entry;
  const parts = auditSentence(entry).split(/(\{actor\}|\{\})/);
  return (
    <p title={`${verb} ${object} ${objectId} ${JSON.stringify(detail)}`}>
      {parts.map((part) => {
        if (part === "{actor}") return <Actor key={part} actor={entry.actor} />;
        return part === "{}" ? <Item key={part} entry={entry} /> : part;
      })}
    </p>
  );
}

function Actor({ actor }: Pick<AuditEntry, "actor">) {
  if (!actor) return "Secondlap";
  return (
    <>
      <Link
        to={auditLogPath({ email: actor.email })}
        title={actor.email}
        className="link-hover font-medium"
      >
        <UserText>{actor.name}</UserText>
      </Link>
      {actor.isAdmin && " (admin)"}
    </>
  );
}

function Item({ entry: { object, objectId, objectName } }: { entry: AuditEntry }) {
  return (
    <Link to={auditLogPath({ objectId })} className="link">
      <UserText>{objectName ?? nouns[object]}</UserText>
    </Link>
  );
}

function Details({ entry: { detail, object, objectId } }: { entry: AuditEntry }) {
  const details = Object.entries(detail)
    .filter(([name]) => !name.endsWith("Id"))
    .map(([name, value]) => detailText(name, value));
  if (details.length === 0 && object !== "booking") return null;
  return (
    <p className="text-muted text-sm">
      {details.join(", ")}
      {object === "booking" && (
        <Link
          to={dealRecordPath(objectId)}
          className={`link-hover ${details.length > 0 ? "ml-4" : ""}`}
        >
          See the deal
        </Link>
      )}
    </p>
  );
}

/** An entry's detail as text, such as "$819", "fulfilled" or "via webhook". */
function detailText(name: string, value: Detail): string {
  if (/cents$/i.test(name)) return formatPrice(Number(value) / 100);
  if (name.endsWith("At")) return `${toWords(name)} ${formatDateTime(String(value))}`;
  if (name === "source") return `via ${value}`;
  if (typeof value === "boolean") return value ? toWords(name) : `not ${toWords(name)}`;
  return `${toWords(name)} ${value}`.replaceAll("_", " ");
}

type Detail = AuditEntry["detail"][string];

/** Splits camelCase into words: "giveBack" becomes "give back". */
function toWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
