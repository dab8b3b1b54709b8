import type { ReactNode } from "react";
import { type LoaderFunctionArgs, useLocation, useNavigate } from "react-router";
import type { z } from "zod";
import type { StaffAccess } from "#contract/roles.ts";
import { requireRole } from "#web/auth/guard.ts";
import { withQuery } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { Form, FormField } from "#web/ui/Form.tsx";
import { ButtonLink } from "#web/ui/Link.tsx";
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

function SearchForm({ schema, search = "", hint }: SearchFormProps) {
  const form = useZodForm(schema, { search });
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return (
    <search>
      <Form
        form={form}
        onSubmit={(chosen) => navigate(withQuery(pathname, chosen))}
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
            <ButtonLink to={pathname} look="quiet">
              Show all
            </ButtonLink>
          )}
        </div>
      </Form>
    </search>
  );
}
