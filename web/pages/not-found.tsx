import { data } from "react-router";
import { NotFound } from "#web/features/site/NotFound.tsx";
import { pageMeta } from "#web/page-meta.ts";

export const meta = pageMeta("Page not found");

/** Answers 404 to a direct request; client-side navigation skips the server. */
export function loader() {
  return data(null, { status: 404 });
}

export function clientLoader() {
  return null;
}

export default NotFound;
