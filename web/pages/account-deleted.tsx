import { pageMeta } from "#web/page-meta.ts";
import { paths } from "#web/paths.ts";
import { TextLink } from "#web/ui/Link.tsx";

export const meta = pageMeta("Account deleted");

export default function AccountDeleted() {
  return (
    <article className="mx-auto flex max-w-prose flex-col gap-4">
      <h1 className="text-headline">Your account has been deleted</h1>
      <p>
        You're signed out, and your listings are gone. In 30 days we erase your name, email address,
        phone number, messages and private photos. Until then, you can't use this email address for
        a new account.
      </p>
      <p>
        We keep the records of completed payments. We also keep the cover photos of laptops you
        sold, because your buyers' orders show them.
      </p>
      <p>
        <TextLink to={paths.home()}>Go to Home</TextLink>
      </p>
    </article>
  );
}
