import { formatDateTime } from "./format-dates-and-counts.ts";

/** In the reader's time zone. */
export function DateTime({ at }: { at: string }) {
  const words = formatDateTime(at);
  const comma = words.lastIndexOf(", ");
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {words.slice(0, comma)}
      <span className="comma">, </span>
      <span className="block text-muted text-sm">{words.slice(comma + 2)}</span>
    </time>
  );
}
