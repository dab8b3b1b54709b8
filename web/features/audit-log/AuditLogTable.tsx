import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { type AuditEntry, listAuditLog } from "#contract/audit.ts";
import type { Request } from "#contract/call.ts";
import { auditLogPath, dealRecordPath } from "#web/admin-paths.ts";
import { listOf } from "#web/api/api.ts";
import type { Column } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { QueryTable } from "#web/ui/QueryTable.tsx";
import { auditDetails, auditSentence, nouns } from "./audit-sentence.ts";

const columns: Column<AuditEntry>[] = [
  { header: "When", cell: ({ at }) => <DateTime at={at} /> },
  {
    header: "What happened",
    as: "title",
    cell: (entry) => (
      <>
        <Sentence entry={entry} />
        <Details entry={entry} />
        {/* The entry as the log stores it, with raw words and ids, for experts. */}
        <details className="text-muted text-sm">
          <summary className="link-hover py-0.5">Stored entry</summary>
          <code className="break-all">
            {`${entry.verb} ${entry.object} ${entry.objectId} ${JSON.stringify(entry.detail)}`}
          </code>
        </details>
      </>
    ),
  },
];

type AuditLogTableProps = { filter: NonNullable<Request<typeof listAuditLog>["query"]> };

export function AuditLogTable({ filter }: AuditLogTableProps) {
  const entries = useInfiniteQuery(listOf(listAuditLog, { query: filter }));
  return (
    <QueryTable
      query={entries}
      caption="Audit Log"
      columns={columns}
      skeletonRows={8}
      emptyTitle="No entries"
      empty="Nothing matches this filter."
    />
  );
}

function Sentence({ entry }: { entry: AuditEntry }) {
  const { actor, object, objectId, objectName } = entry;
  const parts = auditSentence(entry).split(/(\{actor\}|\{\})/);
  return (
    <p>
      {parts.map((part) => {
        if (part === "{actor}") return <Actor key={part} actor={actor} />;
        if (part !== "{}") return part;
        return (
          <Link key={part} to={auditLogPath({ objectId })} className="link">
            <bdi>{objectName ?? nouns[object]}</bdi>
          </Link>
        );
      })}
    </p>
  );
}

function Actor({ actor }: Pick<AuditEntry, "actor">) {
  if (!actor) return "The shop";
  return (
    <>
      <Link
        to={auditLogPath({ email: actor.email })}
        title={actor.email}
        className="link-hover font-medium"
      >
        <bdi>{actor.name}</bdi>
      </Link>
      {actor.isAdmin && " (admin)"}
    </>
  );
}

function Details({ entry }: { entry: AuditEntry }) {
  const { object, objectId } = entry;
  const details = auditDetails(entry);
  if (details.length === 0 && object !== "booking") return null;
  return (
    <p className="text-muted text-sm">
      {details.join(", ")}
      {object === "booking" && (
        <Link
          to={dealRecordPath(objectId)}
          className={`link-hover inline-block py-0.5 ${details.length > 0 ? "ml-4" : ""}`}
        >
          See the deal
        </Link>
      )}
    </p>
  );
}
