import { Fragment } from "react";

/** Wraps after the @ or before a dot. In a wide table, short addresses don't wrap. */
export function EmailText({ children: email }: { children: string }) {
  const breaks = [...email.matchAll(/(?<=@)|(?=\.)/g)].map(({ index }) => index);
  return (
    <bdi className={email.length <= 32 ? "short-email" : undefined}>
      {[0, ...breaks].map((start, part) => (
        <Fragment key={start}>
          {start > 0 && <wbr />}
          {email.slice(start, breaks[part])}
        </Fragment>
      ))}
    </bdi>
  );
}
