/** One line of user text, with its own direction (that of a `bdi`), wrapped anywhere rather than cut off. */
export function UserText({ children }: { children: string }) {
  return <bdi>{children}</bdi>;
}
