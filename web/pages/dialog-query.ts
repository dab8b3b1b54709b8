export const dialogNames = ["book", "report"] as const;
export type DialogName = (typeof dialogNames)[number];

/** The query with this dialog open for a laptop, or with no dialog. */
export function withDialog(query: URLSearchParams, dialog?: DialogName, id = "") {
  const changed = new URLSearchParams(query);
  for (const name of dialogNames) changed.delete(name);
  if (dialog) changed.set(dialog, id);
  return changed;
}
