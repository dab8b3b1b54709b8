import { Fragment } from "react";

/** An email address that wraps after its @ or before a dot, and within a word only where that isn't enough. */
export function EmailText({ children: email }: { children: string }) {
  const breaks = [...email.matchAll(/(?<=@)|(?=\.)/g)].map(({ index }) => index);
  return (
    <bdi>
      {[0, ...breaks].map((start, part) => (
        <Fragment key={start}>
          {start > 0 && <wbr />}
          {email.slice(start, breaks[part])}
        </Fragment>
      ))}
    </bdi>
  );
}
