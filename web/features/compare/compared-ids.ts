import { useEffect } from "react";
import { useNavigate } from "react-router";
import { paths } from "#web/paths.ts";

/** The maximum number of laptops that fit side by side. */
const maxCompared = 4;

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads the ids from the URL: `ids=a,b`, or `ids=a&ids=b` from a form. */
export function comparedIds(query: URLSearchParams): { ids: string[]; leftOut: number } {
  const given = query.getAll("ids").flatMap((value) => value.toLowerCase().split(","));
  const all = [...new Set(given.filter((id) => idPattern.test(id)))];
  const ids = all.slice(0, maxCompared);
  return { ids, leftOut: all.length - ids.length };
}

export function comparePath(ids: string[]): string {
  return ids.length === 0 ? paths.compare() : `${paths.compare()}?ids=${ids.join(",")}`;
}

/** Remembers the compared laptops in this tab, so that links and lists can add laptops to them. */
export function useRememberedComparison(ids: string[], isAdded: boolean): void {
  const list = ids.join(",");
  const navigate = useNavigate();
  useEffect(() => {
    const chosen = list === "" ? [] : list.split(",");
    const all = isAdded ? addedToLast(chosen) : chosen;
    rememberCompared(all);
    if (isAdded) void navigate(comparePath(all), { replace: true });
  }, [list, isAdded, navigate]);
}

function addedToLast(ids: string[]): string[] {
  const others = lastCompared().filter((id) => !ids.includes(id));
  return [...others, ...ids].slice(-maxCompared);
}

const key = "compared";

function lastCompared(): string[] {
  try {
    return comparedIds(new URLSearchParams({ ids: sessionStorage.getItem(key) ?? "" })).ids;
  } catch {
    return [];
  }
}

function rememberCompared(ids: string[]): void {
  try {
    if (ids.length > 0) sessionStorage.setItem(key, ids.join(","));
    else sessionStorage.removeItem(key);
  } catch {
    // Without storage, each comparison starts over.
  }
}
