/** `bdi` gives the text its own direction. Long text wraps anywhere. */
export function UserText({ children }: { children: string }) {
  return <bdi>{children}</bdi>;
}
