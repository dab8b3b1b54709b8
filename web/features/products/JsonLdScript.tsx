import { inScript } from "#web/ui/in-script.ts";
import { useHydrated } from "#web/ui/use-hydrated.ts";

const type = "application/ld+json";

/** Structured data for search engines. Only the server writes it. */
export function JsonLdScript({ data }: { data: object }) {
  return (
    <script type={type} suppressHydrationWarning>
      {inScript(data)}
    </script>
  );
}

/**
 * Matches the server's element until hydration is done. Trusted Types forbid creating one with text
 * in the browser.
 */
export function EmptyJsonLd(_: object) {
  if (useHydrated()) return null;
  return (
    <script type={type} suppressHydrationWarning>
      {""}
    </script>
  );
}
