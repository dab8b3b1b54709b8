/** A route's `meta`: its title and, where it helps a search engine, what it is about. */
export function titled(title: string, description?: string) {
  return () => [
    { title: `${title} · Secondlap` },
    ...(description === undefined ? [] : [{ name: "description", content: description }]),
  ];
}
