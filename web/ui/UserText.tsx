/** One line of user text. `bdi` gives it its own direction; it wraps anywhere if it is too long. */
export function UserText({ children }: { children: string }) {
  return <bdi>{children}</bdi>;
}
