import { type RefObject, useLayoutEffect } from "react";

/** Scrolls a row of links sideways to center the link to `path` or the link marked as current. */
export function useScrollIntoView(row: RefObject<HTMLElement | null>, path: string): void {
  useLayoutEffect(() => {
    const current = row.current?.querySelector(`[href="${path}"], [aria-current]`);
    if (!row.current || !current) return;
    const { left, width } = current.getBoundingClientRect();
    const frame = row.current.getBoundingClientRect();
    row.current.scrollLeft += left + width / 2 - (frame.left + frame.width / 2);
  }, [row, path]);
}
