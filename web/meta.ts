import type { MetaDescriptor } from "react-router";

/** What a page says of itself to search engines, and to those who show links to it. */
export type About = {
  title: string;
  description?: string | undefined;
  /** The path of a picture; ours where none is named. */
  image?: string | undefined;
};

/** A route's `meta` where it is always the same. */
export function pageMeta(title: string, description?: string) {
  return (route: MetaArgs) => metaTags({ title, description }, route);
}

export type MetaArgs = {
  matches: ({ loaderData?: unknown } | undefined)[];
  location: { pathname: string };
};

/** The tags of a page: its title, what it is about, and the same for a preview of a link (Open Graph). */
export function metaTags(
  { title, description, image = "/social.jpg" }: About,
  { matches: [root], location }: MetaArgs,
): MetaDescriptor[] {
  const origin = originOf(root?.loaderData);
  const shown = {
    title,
    // A page that says nothing of itself is for nobody to link to.
    url: description === undefined ? undefined : `${origin}${location.pathname}`,
    image: `${origin}${image}`,
    description,
  };
  return [
    { title: `${title} · Secondlap` },
    ...(description === undefined ? [] : [{ name: "description", content: description }]),
    { property: "og:site_name", content: "Secondlap" },
    { property: "og:type", content: "website" },
    ...Object.entries(shown).flatMap(([name, content]) =>
      content === undefined ? [] : [{ property: `og:${name}`, content }],
    ),
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** Those who fetch a picture want its whole address; the root's loader knows where we are. */
function originOf(root: unknown): string {
  return root instanceof Object && "origin" in root ? String(root.origin) : "";
}
