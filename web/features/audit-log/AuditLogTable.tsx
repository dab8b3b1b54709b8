import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { type AuditEntry, listAuditLog } from "#contract/audit.ts";
import type { Request } from "#contract/call.ts";
import { formatPrice } from "#contract/price.ts";
import { auditLogPath } from "#web/admin-paths.ts";
import { listOf } from "#web/api/api.ts";
import { type Column, DataTable, TableSkeleton } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { EmailText } from "#web/ui/EmailText.tsx";
import { formatDateTime } from "#web/ui/format.ts";
import { EmptyIllustration } from "#web/ui/illustrations.tsx";
import { Notice } from "#web/ui/Notice.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { UserText } from "#web/ui/UserText.tsx";

const columns: Column<AuditEntry>[] = [
  { header: "When", cell: ({ at }) => <DateTime at={at} /> },
  { header: "Who", cell: ({ actor }) => <Actor actor={actor} /> },
  { header: "Action", cell: ({ verb, detail }) => <Action verb={verb} detail={detail} /> },
  { header: "Item", cell: (entry) => <Item entry={entry} /> },
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

function Actor({ actor }: Pick<AuditEntry, "actor">) {
  if (!actor) return <span className="whitespace-nowrap text-muted">System</span>;
  return (
    <>
      <p className="font-medium">
        <UserText>{actor.name}</UserText>
      </p>
      <Link to={auditLogPath({ email: actor.email })} className="link text-muted text-sm">
        <EmailText>{actor.email}</EmailText>
      </Link>
    </>
  );
}

function Action({ verb, detail }: Pick<AuditEntry, "verb" | "detail">) {
  const details = Object.entries(detail).map(([name, value]) => detailText(name, value));
  return (
    <>
      <p>{toWords(verb)}</p>
      {details.length > 0 && <p className="text-muted text-sm">{details.join(", ")}</p>}
    </>
  );
}

/** An entry's detail as text, such as "$819", "fulfilled" or "via webhook". */
function detailText(name: string, value: Detail): string {
  if (name.endsWith("Cents")) return formatPrice(Number(value) / 100);
  if (name.endsWith("At")) return `${toWords(name)} ${formatDateTime(String(value))}`;
  if (name === "source") return `via ${value}`;
  if (typeof value === "boolean") return value ? toWords(name) : `not ${toWords(name)}`;
  return `${toWords(name)} ${value}`;
}

type Detail = AuditEntry["detail"][string];

/** Splits camelCase into words: "giveBack" becomes "give back". */
function toWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function Item({ entry: { object, objectId, objectName } }: { entry: AuditEntry }) {
  return (
    <>
      <Link to={auditLogPath({ objectId })} className="link">
        <UserText>{objectName ?? `${object} …${objectId.slice(-6)}`}</UserText>
      </Link>
      <p className="text-muted text-sm">{object}</p>
    </>
  );
}
