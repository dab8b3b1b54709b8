import { type RefObject, useLayoutEffect } from "react";

/** Scrolls a row of links sideways to centre the current one. */
export function useScrollIntoView(row: RefObject<HTMLElement | null>, path: string): void {
  useLayoutEffect(() => {
    const current = row.current?.querySelector(`a[href="${path}"]`);
    if (!row.current || !current) return;
    const { left, width } = current.getBoundingClientRect();
    const frame = row.current.getBoundingClientRect();
    row.current.scrollLeft += left + width / 2 - (frame.left + frame.width / 2);
  }, [row, path]);
}
