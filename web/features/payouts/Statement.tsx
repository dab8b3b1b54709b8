import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { listStatementYears, readStatement } from "#contract/payouts.ts";
import { browserApi, queryOf, useMutationOnce } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { downloadFile } from "#web/ui/object-url.ts";
import { toast } from "#web/ui/toast.ts";
import { statementCsv } from "./statement.ts";

export function Statement() {
  const { data: years = [] } = useQuery(queryOf(listStatementYears, {}));
  const [chosen, choose] = useState<number>();
  const download = useMutationOnce({
    mutationFn: async (of: number) => {
      const { body } = await browserApi(readStatement, { query: { year: of } });
      downloadFile(`sales-${of}.csv`, new Blob([statementCsv(body)], { type: "text/csv" }));
    },
    onError: ({ message }) => toast.error(message),
  });
  const year = chosen ?? years[0];
  if (year === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      {years.length > 1 && (
        <select
          className="select w-24"
          aria-label="Year"
          value={year}
          onChange={({ target }) => choose(Number(target.value))}
        >
          {years.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      )}
      <Button
        look="plain"
        size="small"
        busy={download.isPending}
        onClick={() => download.mutate(year)}
      >
        Download {year} statement
      </Button>
    </div>
  );
}
