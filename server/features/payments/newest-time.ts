/** The time of the newest, or `since` if none is newer. */
export function newestTime(
  listed: readonly { createdAt: Date }[],
  since: Date | null | undefined,
): Date {
  return listed.reduce(
    (newest, { createdAt }) => (createdAt > newest ? createdAt : newest),
    since ?? new Date(0),
  );
}
