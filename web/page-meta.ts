import type { MetaDescriptor } from "react-router";
import type { Shop } from "#contract/shop.ts";

export type PageInfo = {
  title: string;
  description?: string | undefined;
  /** The image's tags, by the suffix after `og:image`: "", ":width", ":height" or ":alt". */
  image?: Record<string, string>;
  /** Whether the page shows another page's laptops, and therefore has no canonical URL. */
  isVariant?: boolean;
};

export const notIndexed = { name: "robots", content: "noindex, follow" };

export function pageMeta(title: string, description?: string) {
  return (route: MetaArgs) => metaTags({ title, description }, route);
}

export type MetaArgs = {
  matches: ({ loaderData?: unknown } | undefined)[];
  location: { pathname: string };
};

export function metaTags(
  { title, description, image, isVariant }: PageInfo,
  { matches: [root], location }: MetaArgs,
): MetaDescriptor[] {
  // The data is missing only if the root's own loader has failed.
  const { origin = "", shop } = (root?.loaderData ?? {}) as { origin?: string; shop?: Shop };
  const url = origin + location.pathname;
  return [
    { title: `${title} · ${shop?.name}` },
    // Pages without a description are not meant to be shared.
    ...(description
      ? [
          { name: "description", content: description },
          { property: "og:description", content: description },
        ]
      : []),
    ...(description && !isVariant
      ? [
          { tagName: "link", rel: "canonical", href: url },
          { property: "og:url", content: url },
        ]
      : []),
    { property: "og:site_name", content: shop?.name },
    { property: "og:type", content: "website" },
    { property: "og:title", content: title },
    ...Object.entries(image ?? { "": shop?.preview || "/social.jpg" }).map(([name, content]) => ({
      property: `og:image${name}`,
      // Link previews need absolute URLs.
      content: content.startsWith("/") ? origin + content : content,
    })),
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** A value as JSON that is safe inside a `script` element. */
export function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
