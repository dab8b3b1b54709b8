import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "react-router";
import { z } from "zod";
import { type AuditEntry, auditFilter, auditObjects, listAuditLog } from "#contract/audit.ts";
import type { Request } from "#contract/call.ts";
import { auditLogPath, dealRecordPath } from "#web/admin-paths.ts";
import { listOf } from "#web/api/api.ts";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import type { Column } from "#web/ui/DataTable.tsx";
import { DateTime } from "#web/ui/DateTime.tsx";
import { Form, FormField } from "#web/ui/Form.tsx";
import { ButtonLink, TextLink } from "#web/ui/Link.tsx";
import { QueryTable } from "#web/ui/QueryTable.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { auditDetails, auditSentence, nouns } from "./audit-sentence.ts";

const filterForm = z.object({
  email: z.literal("").or(auditFilter.shape.email.unwrap()),
  object: z.enum(["", ...auditObjects]),
});

const objects = [
  { value: "", label: "Everything" },
  ...auditObjects.map((object) => ({
    value: object,
    label: `${object.charAt(0).toUpperCase()}${object.slice(1)}s`.replace(/ys$/, "ies"),
  })),
];

export function AuditLogFilter({ filter }: { filter: z.input<typeof auditFilter> }) {
  const { email = "", object = "" } = filter;
  const form = useZodForm(filterForm, { email, object });
  const navigate = useNavigate();
  const isSet = Object.values(filter).some((value) => value !== undefined);
  return (
    <Form
      form={form}
      onSubmit={(chosen) => navigate(auditLogPath(chosen))}
      aria-label="Filter"
      className="fields mb-2 grid-cols-[minmax(0,1fr)_auto] max-sm:*:first:col-span-2 sm:grid-cols-3"
    >
      <FormField
        form={form}
        name="email"
        label="Member's email"
        type="email"
        autoComplete="off"
        hint={
          filter.objectId === undefined
            ? "Shows what they did and what was done to them."
            : "Showing one item only."
        }
      />
      <FormField form={form} name="object" label="Item type" as="select" options={objects} />
      <div className="col-start-2 row-start-6 mb-0 flex gap-2 sm:col-start-3 sm:row-start-3">
        <Button type="submit">Filter</Button>
        {isSet && (
          <ButtonLink to={paths.auditLog()} look="quiet">
            Show all
          </ButtonLink>
        )}
      </div>
    </Form>
  );
}

const columns: Column<AuditEntry>[] = [
  { header: "When", cell: ({ at }) => <DateTime at={at} /> },
  {
    header: "What happened",
    as: "title",
    cell: (entry) => (
      <>
        <Sentence entry={entry} />
        <Details entry={entry} />
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
          <TextLink key={part} to={auditLogPath({ objectId })}>
            <bdi>{objectName ?? nouns[object]}</bdi>
          </TextLink>
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
