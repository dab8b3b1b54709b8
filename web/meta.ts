import type { MetaDescriptor } from "react-router";

/** A page's title and description, for search engines and link previews. */
export type PageInfo = {
  title: string;
  description?: string | undefined;
  /** Path or address of the preview image; a default if omitted. */
  image?: string | undefined;
};

/** A route's `meta` function for a fixed title. */
export function pageMeta(title: string, description?: string) {
  return (route: MetaArgs) => metaTags({ title, description }, route);
}

export type MetaArgs = {
  matches: ({ loaderData?: unknown } | undefined)[];
  location: { pathname: string };
};

/** A page's title, description and Open Graph tags. */
export function metaTags(
  { title, description, image = "/social.jpg" }: PageInfo,
  { matches: [root], location }: MetaArgs,
): MetaDescriptor[] {
  const origin = originOf(root?.loaderData);
  const shown = {
    title,
    // Pages without a description are not meant to be shared.
    url: description === undefined ? undefined : `${origin}${location.pathname}`,
    image: URL.canParse(image) ? image : `${origin}${image}`,
    description,
  };
  return [
    { title: `${title} · Secondlap` },
    ...(description === undefined
      ? []
      : [
          { name: "description", content: description },
          { tagName: "link", rel: "canonical", href: `${origin}${location.pathname}` },
        ]),
    { property: "og:site_name", content: "Secondlap" },
    { property: "og:type", content: "website" },
    ...Object.entries(shown).flatMap(([name, content]) =>
      content === undefined ? [] : [{ property: `og:${name}`, content }],
    ),
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** Link previews need absolute URLs. */
function originOf(root: unknown): string {
  return root instanceof Object && "origin" in root ? String(root.origin) : "";
}
