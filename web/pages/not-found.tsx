import { data } from "react-router";
import { NotFound } from "#web/features/site/ErrorScreen.tsx";
import { pageMeta } from "#web/page-meta.ts";

export const meta = pageMeta("Page not found");

/** Responds to a direct request with a 404. Client-side navigation skips the server. */
export function loader() {
  return data(null, { status: 404 });
}

export function clientLoader() {
  return null;
}

export default NotFound;
