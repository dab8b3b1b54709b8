import { countViews } from "#contract/overview.ts";
import { keepaliveApi } from "#web/api/api.ts";

/**
 * Counts a view of a laptop (`data-product`) once per page load, after half of `card` was visible
 * for a second. Nothing about the visitor is stored (decisions/overview).
 */
export function trackViews(card: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = new IntersectionObserver(
    ([entry]) => {
      clearTimeout(timer);
      if (entry?.isIntersecting) timer = setTimeout(() => view(card.dataset.product), viewDelayMs);
    },
    { threshold: 0.5 },
  );
  watch.observe(card);
  return () => {
    clearTimeout(timer);
    watch.disconnect();
  };
}

const viewDelayMs = 1_000;
const viewed = new Set<string>();
const unsent: string[] = [];

function view(id: string | undefined): void {
  if (id === undefined || viewed.has(id)) return;
  if (viewed.size === 0) document.addEventListener("visibilitychange", sendViews);
  viewed.add(id);
  unsent.push(id);
}

function sendViews(): void {
  if (document.visibilityState !== "hidden" || unsent.length === 0) return;
  const productIds = unsent.splice(0, 100);
  // Ignores errors, because a lost view is harmless, and the page is no longer visible.
  keepaliveApi(countViews, { body: { productIds } }).catch(() => {});
}
