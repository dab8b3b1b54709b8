import { lazy, Suspense } from "react";
import { operatorLines, withShopName } from "#contract/shop.ts";
import { readPageText } from "#contract/shop-settings.ts";
import type { Api } from "#web/api/api.ts";
import type { Information } from "#web/domain/information/information-pages.ts";
import { useShop } from "#web/ui/use-shop.ts";

const MarkdownText = lazy(() => import("#web/domain/information/MarkdownText.tsx"));

/** Reads the owner's text for a page; null if the page shows the built-in text. */
export async function readOwnText(api: Api, url: string): Promise<string | null> {
  const path = new URL(url).pathname.replace(/\/$/, "");
  return (await api(readPageText, { query: { path } })).body.text;
}

type ArticleProps = Pick<Information, "sections"> & {
  title: string;
  text: string | null;
  hasOperator?: boolean;
};

export function InformationArticle({ title, sections, text, hasOperator }: ArticleProps) {
  const shop = useShop();
  return (
    <article className="mx-auto flex max-w-prose flex-col gap-8">
      <h1 className="text-headline">{title}</h1>
      {hasOperator && <OperatorAddress />}
      {text !== null && (
        <Suspense>
          <MarkdownText text={text} />
        </Suspense>
      )}
      {text === null && Object.keys(sections).length === 0 && (
        <p className="text-muted">Nothing has been published here yet.</p>
      )}
      {text === null &&
        Object.entries(sections).map(([heading, builtIn]) => (
          <section key={heading} className="flex flex-col gap-2">
            <h2 className="text-heading">{heading}</h2>
            <p className="text-muted">{withShopName(builtIn, shop)}</p>
          </section>
        ))}
    </article>
  );
}

function OperatorAddress() {
  const { operator } = useShop();
  if (!operator) return null;
  return (
    <p className="whitespace-pre-line">
      {operatorLines(operator).join("\n")}
      {operator.email && (
        <a href={`mailto:${operator.email}`} className="link block">
          {operator.email}
        </a>
      )}
    </p>
  );
}
