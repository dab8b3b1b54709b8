import { Link, useNavigate } from "react-router";
import { z } from "zod";
import { auditFilter, auditObjects } from "#contract/audit.ts";
import { auditLogOf, paths } from "#web/paths.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { useCheckedForm } from "#web/ui/use-checked-form.ts";

const filterForm = z.object({
  email: z.literal("").or(auditFilter.shape.email.unwrap()),
  object: z.enum(["", ...auditObjects]),
});

const objects = [
  { value: "", label: "Everything" },
  ...auditObjects.map((object) => ({
    value: object,
    label: `${object.charAt(0).toUpperCase()}${object.slice(1)}s`,
  })),
];

type AuditLogFilterProps = { filter: z.input<typeof auditFilter> };

/** What the log shows, kept in the page's address: one member, one kind of object, or one object alone. */
export function AuditLogFilter({ filter }: AuditLogFilterProps) {
  const { email = "", object = "" } = filter;
  const form = useCheckedForm(filterForm, { email, object });
  const navigate = useNavigate();
  const isSet = Object.values(filter).some((value) => value !== undefined);
  return (
    <form
      onSubmit={form.handleSubmit((chosen) => navigate(auditLogOf(chosen)))}
      noValidate
      aria-label="Filter"
      className="mb-4 grid items-start gap-x-4 gap-y-1 sm:grid-cols-[minmax(0,1fr)_12rem_auto]"
    >
      <FormField
        form={form}
        name="email"
        label="Member's email"
        type="email"
        autoComplete="off"
        hint={
          filter.objectId === undefined ? "What they did, or had done to them." : "Of one object."
        }
      />
      <FormField form={form} name="object" label="Object" as="select" options={objects} />
      <div className="flex gap-2 sm:mt-6.5">
        <Button type="submit">Filter</Button>
        {isSet && (
          <Link to={paths.auditLog()} className={buttonClass({ look: "quiet" })}>
            Show all
          </Link>
        )}
      </div>
    </form>
  );
}
