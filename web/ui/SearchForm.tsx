import { Link, useNavigate } from "react-router";
import type { z } from "zod";
import { Button, buttonClass } from "./Button.tsx";
import { FormField } from "./FormField.tsx";
import { useZodForm } from "./use-zod-form.ts";

type Searched = { search?: string | undefined };

export type SearchFormProps = {
  schema: z.ZodType<Searched, Searched>;
  search: string | undefined;
  hint: string;
  /** Returns the URL of a search, or of the whole list. */
  pathOf: (search?: string) => string;
};

export function SearchForm({ schema, search = "", hint, pathOf }: SearchFormProps) {
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
