import { inScript } from "#web/page-meta.ts";
import { useHydrated } from "#web/ui/use-hydrated.ts";

const type = "application/ld+json";

/** A script with structured data for search engines. Only the server renders it. */
export function JsonLdScript({ data }: { data: object }) {
  return (
    <script type={type} suppressHydrationWarning>
      {inScript(data)}
    </script>
  );
}

/**
 * An empty script that matches the server's script until hydration is done. In the browser, Trusted
 * Types forbid creating a script with text.
 */
export function EmptyJsonLd(_: object) {
  if (useHydrated()) return null;
  return (
    <script type={type} suppressHydrationWarning>
      {""}
    </script>
  );
}
