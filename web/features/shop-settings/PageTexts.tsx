import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { readConfig } from "#contract/config.ts";
import { withShopName } from "#contract/shop.ts";
import { pageTitles } from "#contract/shop-settings.ts";
import { queryOf } from "#web/api/api.ts";
import { dealPages } from "#web/domain/information/deal-pages.ts";
import { type Information, informationPages } from "#web/domain/information/information-pages.ts";
import { digestOf } from "#web/start/markup.tsx";
import { Button } from "#web/ui/Button.tsx";
import { ConfirmButton } from "#web/ui/ConfirmButton.tsx";
import { controlClass, Field } from "#web/ui/Field.tsx";
import { FormField } from "#web/ui/Form.tsx";
import type { SettingsForm } from "./shop-form.ts";
import { Section } from "./shop-sections.tsx";

const Markdown = lazy(() => import("#web/domain/information/MarkdownText.tsx"));

export function PageTexts({ form }: { form: SettingsForm }) {
  const config = useQuery(queryOf(readConfig, {}));
  const [path, setPath] = useState("/terms");
  const texts = form.watch("texts");
  const own = texts[path];
  const page = config.data && { ...informationPages, ...dealPages(config.data) }[path];
  const builtIn = page ? toMarkdown(page) : "";
  const basedOn = digestOf(builtIn);
  const setText = (text: typeof own) => {
    const { [path]: _, ...others } = texts;
    const changed = text ? { ...others, [path]: text } : others;
    form.setValue("texts", changed, { shouldDirty: true });
  };
  return (
    <Section title="Pages" className="gap-4">
      <Field label="Page">
        {(control) => (
          <select
            {...control}
            className={`select ${controlClass}`}
            value={path}
            onChange={({ target }) => setPath(target.value)}
          >
            {Object.entries(pageTitles).map(([to, title]) => (
              <option key={to} value={to}>
                {texts[to] ? `${title} (your own text)` : title}
              </option>
            ))}
          </select>
        )}
      </Field>
      {page && own && own.basedOn !== basedOn && (
        <p role="note" className="font-medium text-sm">
          The built-in text has changed since you wrote yours. Remove yours to read it.
        </p>
      )}
      {own ? (
        <>
          <FormField
            key={path}
            form={form}
            name={`texts.${path}.text`}
            label="Your text"
            as="textarea"
            rows={14}
            hint="In Markdown: ## for a heading, **bold**, [a link](https://example.com). {shop} is the name of your shop."
          />
          <details>
            <summary className="cursor-pointer font-medium text-sm">See how it looks</summary>
            <Suspense>
              <div className="mt-4 rounded-box border border-line bg-base-100 p-5">
                <Markdown text={withShopName(own.text, { name: form.watch("name") })} />
              </div>
            </Suspense>
          </details>
          <ConfirmButton
            look="quiet"
            title="Use the built-in text?"
            message="Your own text of this page is removed from the form."
            confirm="Use it"
            busy={false}
            onConfirm={(done) => {
              done();
              setText(undefined);
            }}
          >
            Use the built-in text
          </ConfirmButton>
        </>
      ) : (
        <Button
          look="plain"
          size="small"
          className="self-start"
          busy={!page}
          onClick={() => setText({ text: builtIn || "## ", basedOn })}
        >
          Write your own text
        </Button>
      )}
    </Section>
  );
}

function toMarkdown({ sections }: Information): string {
  const parts = Object.entries(sections).map(([heading, text]) => `## ${heading}\n\n${text}`);
  return parts.join("\n\n");
}
