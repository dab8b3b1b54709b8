import type { ReactNode } from "react";
import { Link, type LoaderFunctionArgs, useNavigate } from "react-router";
import type { z } from "zod";
import type { StaffAccess } from "#contract/roles.ts";
import { requireRole } from "#web/auth/guard.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";

type Searched = { search?: string | undefined };

/** The search is kept in the URL; an invalid search is ignored. */
export function adminSearchLoader(schema: z.ZodType<Searched>, access: StaffAccess = "admin") {
  return async ({ request }: Pick<LoaderFunctionArgs, "request">) => {
    await requireRole(request, access);
    const query = Object.fromEntries(new URL(request.url).searchParams);
    return { search: schema.safeParse(query).data?.search || undefined };
  };
}

type SearchFormProps = {
  schema: z.ZodType<Searched, Searched>;
  search: string | undefined;
  hint: string;
  /** Returns the URL of a search, or of the whole list. */
  pathOf: (search?: string) => string;
};

type SearchPageProps = SearchFormProps & { title: string; children: ReactNode };

export function SearchPage({ title, children, ...form }: SearchPageProps) {
  return (
    <>
      <PageHeading title={title} />
      <SearchForm key={form.search} {...form} />
      {children}
    </>
  );
}

function SearchForm({ schema, search = "", hint, pathOf }: SearchFormProps) {
  const form = useZodForm(schema, { search });
  const navigate = useNavigate();
  return (
    <search>
      <form
        onSubmit={form.handleSubmit((chosen) => navigate(pathOf(chosen.search)))}
        noValidate
        className="fields mb-2 grid-cols-[minmax(0,26rem)_auto]"
      >
        <FormField
          form={form}
          name="search"
          label="Search"
          type="search"
          autoComplete="off"
          hint={hint}
        />
        <div className="col-start-2 row-start-3 mb-0 flex gap-2">
          <Button type="submit">Search</Button>
          {search !== "" && (
            <Link to={pathOf()} className={buttonClass({ look: "quiet" })}>
              Show all
            </Link>
          )}
        </div>
      </form>
    </search>
  );
}
