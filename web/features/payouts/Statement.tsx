import { useState } from "react";
import { readStatement } from "#contract/payouts.ts";
import { browserApi } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { downloadFile } from "#web/ui/download-file.ts";
import { toast } from "#web/ui/toast.ts";
import { statementCsv } from "./statement.ts";

/** Downloads this year's sales as CSV, for the seller's books. */
export function Statement() {
  const [busy, setBusy] = useState(false);
  const year = new Date().getUTCFullYear();
  async function download() {
    setBusy(true);
    try {
      const { body } = await browserApi(readStatement, { query: { year } });
      const file = new Blob([statementCsv(body)], { type: "text/csv" });
      downloadFile(`secondlap-sales-${year}.csv`, file);
    } catch (error) {
      toast.error(error instanceof Error ? error.message : "Please try again.");
    }
    setBusy(false);
  }
  return (
    <Button look="plain" size="small" busy={busy} onClick={() => void download()}>
      Download {year} statement
    </Button>
  );
}
