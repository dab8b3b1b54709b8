/** One line of user text, with its own direction, wrapped anywhere rather than cut off. */
export function UserText({ children }: { children: string }) {
  return (
    <bdi dir="auto" className="user-text">
      {children}
    </bdi>
  );
}
