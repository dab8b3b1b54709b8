import { type DragEvent, useState } from "react";
import { Button } from "#web/ui/Button.tsx";
import { Field } from "#web/ui/Field.tsx";
import { FileButton } from "#web/ui/FileButton.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { labelOf } from "./FactsFields.tsx";
import type { MachineReport } from "./machine-report/read-report.ts";
import { formFieldOf, type ProductFields, withReported } from "./product-form.ts";

type MachineImportProps = {
  form: ProductFields;
  /** Called after an import to move focus, because the focused button is gone. */
  onImported: () => void;
};

/** Fills in facts from the laptop's own report, which is read in the browser and never sent. */
export function MachineImport({ form, onImported }: MachineImportProps) {
  const [report, setReport] = useState<MachineReport | "none" | "too long">();
  const [imported, setImported] = useState(0);
  const [text, setText] = useState("");
  const read = async (typed: string) => {
    setText(typed);
    setImported(0);
    const { readReport } = await import("./machine-report/read-report.ts");
    setReport(typed.trim() === "" ? undefined : (readReport(typed) ?? "none"));
  };
  const readFile = async (file: File | undefined) => {
    if (!file) return;
    const { decodeReport, maxReportBytes } = await import("./machine-report/read-report.ts");
    if (file.size > maxReportBytes) setReport("too long");
    else await read(decodeReport(new Uint8Array(await file.arrayBuffer())));
  };
  const drop = (event: DragEvent) => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    // Otherwise the page's drop handler would treat the file as a photo.
    event.stopPropagation();
    void readFile(event.dataTransfer.files[0]);
  };
  return (
    <details className="mb-5 rounded-field bg-base-200 px-4 py-3 sm:col-span-2" onDrop={drop}>
      <summary className="unfold link-hover">
        <Icon name="chevron-right" className="size-4" />
        Read battery and specifications automatically
      </summary>
      <p className="mt-1 mb-4 max-w-prose text-muted text-sm">
        On Windows: the file that <code>powercfg /batteryreport</code> writes,{" "}
        <code>systeminfo</code> or msinfo32. On a Mac: the text of System Information,{" "}
        <code>system_profiler</code> or coconutBattery. On Linux: <code>inxi -F</code>,{" "}
        <code>lshw -json</code>, <code>dmidecode</code> or <code>upower -i</code>. Your browser
        reads it here; the report itself is not sent.
      </p>
      <Field
        label="Report of the laptop"
        hint="Paste the text, or drop the file here."
        error={report === "none" || report === "too long" ? problems[report] : undefined}
      >
        {(control) => (
          <textarea
            {...control}
            rows={4}
            className="textarea w-full border-line bg-base-100 font-mono text-sm"
            value={text}
            onChange={({ currentTarget }) => void read(currentTarget.value)}
          />
        )}
      </Field>
      <FileButton
        icon="laptop"
        accept=".html,.htm,.xml,.txt,.json,.nfo,text/*"
        aria-label="Choose the report's file"
        onFiles={([file]) => void readFile(file)}
      >
        Choose the report's file
      </FileButton>
      {typeof report === "object" && (
        <Preview
          report={report}
          onUse={(names) => {
            fillIn(form, report, names);
            setImported(names.length);
            setReport(undefined);
            setText("");
            onImported();
          }}
        />
      )}
      <p role="status" className="mt-2 text-sm">
        {imported > 0 && `${imported} ${imported === 1 ? "fact" : "facts"} filled in below.`}
      </p>
    </details>
  );
}

const problems = {
  none: "We found nothing in this report. Copy the whole of it, or try another one.",
  "too long": "Choose a report of up to 2 MB.",
};

type FieldName = keyof ReturnType<typeof fieldsOf>;

function fieldsOf({ facts }: MachineReport) {
  const { screen_width, screen_height, ...others } = facts;
  const resolution = screen_width && { screen_resolution: `${screen_width} × ${screen_height}` };
  return { ...others, ...resolution };
}

type PreviewProps = { report: MachineReport; onUse: (names: FieldName[]) => void };

function Preview({ report, onUse }: PreviewProps) {
  const fields = fieldsOf(report);
  const found = Object.keys(fields) as FieldName[];
  const [left, setLeft] = useState<FieldName[]>([]);
  const chosen = found.filter((name) => !left.includes(name));
  return (
    <fieldset className="mt-4">
      <legend className="mb-1.5 font-medium text-sm">
        {`Read from ${report.format}. Only what is ticked is sent, marked as reported by the machine.`}
      </legend>
      {found.map((name) => (
        <label key={name} className="flex min-h-11 items-center gap-2 text-sm">
          <input
            type="checkbox"
            className="size-4.5 flex-none accent-primary"
            checked={!left.includes(name)}
            onChange={({ currentTarget }) =>
              setLeft(currentTarget.checked ? left.filter((out) => out !== name) : [...left, name])
            }
          />
          {`${labelOf(name)}: ${fields[name]}`}
        </label>
      ))}
      <Button look="plain" onClick={() => onUse(chosen)} disabled={chosen.length === 0}>
        Use these facts
      </Button>
    </fieldset>
  );
}

function fillIn(form: ProductFields, report: MachineReport, names: FieldName[]): void {
  const { getValues, setValue } = form;
  const fields = fieldsOf(report);
  for (const name of names)
    setValue(name, String(fields[name]), { shouldDirty: true, shouldValidate: true });
  const chosen = Object.entries(report.facts).filter(([fact]) =>
    names.some((name) => name === formFieldOf[`facts.${fact}`]),
  );
  const reported = withReported(getValues("reported") ?? "", Object.fromEntries(chosen));
  setValue("reported", reported, { shouldDirty: true });
}
