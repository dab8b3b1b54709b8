import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { listStatementYears, readStatement } from "#contract/payouts.ts";
import { browserApi, queryOf } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { downloadFile } from "#web/ui/object-url.ts";
import { toast } from "#web/ui/toast.ts";
import { statementCsv } from "./statement.ts";

export function Statement() {
  const { data: years = [] } = useQuery(queryOf(listStatementYears, {}));
  const [chosen, choose] = useState<number>();
  const [busy, setBusy] = useState(false);
  const year = chosen ?? years[0];
  if (year === undefined) return null;
  async function download(of: number) {
    setBusy(true);
    try {
      const { body } = await browserApi(readStatement, { query: { year: of } });
      const file = new Blob([statementCsv(body)], { type: "text/csv" });
      downloadFile(`sales-${of}.csv`, file);
    } catch (error) {
      toast.error(error instanceof Error ? error.message : "Please try again.");
    }
    setBusy(false);
  }
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
      <Button look="plain" size="small" busy={busy} onClick={() => void download(year)}>
        Download {year} statement
      </Button>
    </div>
  );
}
