/**
 * User text without line breaks. `bdi` gives the text its own direction; long text wraps anywhere.
 */
export function UserText({ children }: { children: string }) {
  return <bdi>{children}</bdi>;
}
