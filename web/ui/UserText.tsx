/** One line that a person wrote: in its own direction, and broken anywhere rather than cut off. */
export function UserText({ children }: { children: string }) {
  return (
    <bdi dir="auto" className="user-text">
      {children}
    </bdi>
  );
}
