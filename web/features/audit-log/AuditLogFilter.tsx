import { Link, useNavigate } from "react-router";
import { z } from "zod";
import { auditFilter, auditObjects } from "#contract/audit.ts";
import { auditLogPath } from "#web/admin-paths.ts";
import { paths } from "#web/paths.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { Form, FormField } from "#web/ui/Form.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";

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

/** The filter is kept in the URL. */
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
          <Link to={paths.auditLog()} className={buttonClass({ look: "quiet" })}>
            Show all
          </Link>
        )}
      </div>
    </Form>
  );
}
