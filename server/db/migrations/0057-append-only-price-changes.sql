-- Named as the audit log's triggers are.
alter trigger price_changes_rows_stay on price_changes rename to price_changes_rows_append_only;
alter trigger price_changes_stay on price_changes rename to price_changes_append_only;
