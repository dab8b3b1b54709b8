import type { ReactNode } from "react";
import type { LoaderFunctionArgs } from "react-router";
import type { z } from "zod";
import type { StaffAccess } from "#contract/roles.ts";
import { requireRole } from "#web/auth/guard.ts";
import { PageHeading } from "#web/ui/PageHeading.tsx";
import { SearchForm, type SearchFormProps } from "#web/ui/SearchForm.tsx";

type SearchSchema = z.ZodType<{ search?: string | undefined }>;

/** The search is kept in the URL; an invalid search is ignored. */
export function adminSearchLoader(schema: SearchSchema, access: StaffAccess = "admin") {
  return async ({ request }: Pick<LoaderFunctionArgs, "request">) => {
    await requireRole(request, access);
    const query = Object.fromEntries(new URL(request.url).searchParams);
    return { search: schema.safeParse(query).data?.search || undefined };
  };
}

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
