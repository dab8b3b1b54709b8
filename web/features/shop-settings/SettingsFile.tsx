import { useState } from "react";
import type { z } from "zod";
import { sentSettings } from "#contract/shop-settings.ts";
import { Button } from "#web/ui/Button.tsx";
import { FileButton } from "#web/ui/FileButton.tsx";
import { downloadFile } from "#web/ui/object-url.ts";
import { type Defaults, formOf, type SettingsForm } from "./shop-form.ts";
import { Section } from "./shop-sections.tsx";

/** The file may come from another shop. */
export function SettingsFile({ form, defaults }: { form: SettingsForm; defaults: Defaults }) {
  const [problem, setProblem] = useState<string>();
  const download = form.handleSubmit((settings) =>
    downloadFile(
      "shop-settings.json",
      new Blob([JSON.stringify(settings, null, 2)], { type: "application/json" }),
    ),
  );
  const open = async ([file]: File[]) => {
    const read = await file
      ?.text()
      .then(JSON.parse)
      .catch(() => undefined);
    const { data, error } = sentSettings.safeParse(read);
    setProblem(error?.issues.map(sentenceOf)[0]);
    if (data) form.reset(formOf(data, defaults), { keepDefaultValues: true });
  };
  return (
    <Section title="Settings as a file" className="gap-4">
      <p className="text-muted">
        Download everything above as one file, with the pictures. Opening a file fills in this form
        and changes nothing until you publish.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button look="plain" size="small" onClick={download}>
          Download the settings
        </Button>
        <FileButton
          icon="scroll-text"
          size="small"
          accept="application/json"
          aria-label="Open a file"
          onFiles={open}
        >
          Open a file
        </FileButton>
      </div>
      <p role="alert" className="min-h-5 text-error text-sm">
        {problem}
      </p>
    </Section>
  );
}

function sentenceOf({ code, path, message }: z.core.$ZodIssue): string {
  const setting = path.join(".");
  if (!setting && code === "custom")
    return "This file has no shop settings. Choose a file that was downloaded from this page.";
  return `Nothing was changed. ${setting && `${setting}: `}${message}`;
}
