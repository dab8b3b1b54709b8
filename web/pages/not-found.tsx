import { data } from "react-router";
import { NotHere } from "#web/features/site/NotHere.tsx";
import { titled } from "#web/meta.ts";

export const meta = titled("Page not found");

/** Answers 404 to the browser's first request; moving about inside the site asks nobody. */
export function loader() {
  return data(null, { status: 404 });
}

export function clientLoader() {
  return null;
}

export default NotHere;
