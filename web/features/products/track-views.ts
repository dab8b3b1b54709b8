import { countViews } from "#contract/overview.ts";
import { keepaliveApi } from "#web/api/api.ts";

/**
 * A `ref` for a laptop's card, which names it in `data-product`: once half of it was in sight for a second
 * it counts as viewed, once a visit. What was viewed is told when the page is left or hidden; nothing of
 * who is kept, here or there (decision 0016).
 */
export function trackViews(card: HTMLElement): () => void {
  let settled: ReturnType<typeof setTimeout> | undefined;
  const watch = new IntersectionObserver(
    ([entry]) => {
      clearTimeout(settled);
      if (entry?.isIntersecting) settled = setTimeout(() => view(card.dataset.product), second);
    },
    { threshold: 0.5 },
  );
  watch.observe(card);
  return () => {
    clearTimeout(settled);
    watch.disconnect();
  };
}

const second = 1_000;
const viewed = new Set<string>();
const untold: string[] = [];

function view(id: string | undefined): void {
  if (id === undefined || viewed.has(id)) return;
  if (viewed.size === 0) document.addEventListener("visibilitychange", tell);
  viewed.add(id);
  untold.push(id);
}

function tell(): void {
  if (document.visibilityState !== "hidden" || untold.length === 0) return;
  const productIds = untold.splice(0, 100);
  // Nobody is left to hear of a failure, and a view more or less is none.
  keepaliveApi(countViews, { body: { productIds } }).catch(() => {});
}
