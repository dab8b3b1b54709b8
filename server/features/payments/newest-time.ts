/** The time of the newest, or `since` if none is newer. */
export function newestTime(
  listed: readonly { createdAt: Date }[],
  since: Date | null | undefined,
): Date {
  // One by one: an array can be too long for the arguments of `Math.max`.
  const newest = listed.reduce(
    (time, { createdAt }) => Math.max(time, createdAt.getTime()),
    since?.getTime() ?? 0,
  );
  return new Date(newest);
}
