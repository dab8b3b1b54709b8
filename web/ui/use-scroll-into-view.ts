import { type RefObject, useLayoutEffect } from "react";

/**
 * Scrolls a row of links sideways to center the link to `path` or the link marked as current. Does
 * so again when the row's size changes, as when a phone is turned.
 */
export function useScrollIntoView(row: RefObject<HTMLElement | null>, path: string): void {
  useLayoutEffect(() => {
    const list = row.current;
    if (!list) return;
    const center = () => {
      const current = list.querySelector(`[href="${path}"], [aria-current]`);
      if (!current) return;
      const { left, width } = current.getBoundingClientRect();
      const frame = list.getBoundingClientRect();
      list.scrollLeft += left + width / 2 - (frame.left + frame.width / 2);
    };
    // The observer also reports the first size, before the browser paints.
    const sizes = new ResizeObserver(center);
    sizes.observe(list);
    return () => sizes.disconnect();
  }, [row, path]);
}
