/** Shown in the dashboard's frame until the first page's loader has run. */
export { Spinner as HydrateFallback } from "#web/ui/Spinner.tsx";
