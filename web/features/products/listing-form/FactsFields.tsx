import { type Ref, useRef, useState } from "react";
import { factFields, ports } from "#contract/facts.ts";
import { FormField } from "#web/ui/Form.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { factFormFields, type ProductFields } from "./product-form.ts";

type FactsFieldsProps = {
  form: ProductFields;
  /** The section of optional fields, which opens if one of its fields has an error. */
  section: Ref<HTMLDetailsElement>;
};

type FactField = (typeof factFormFields)[number];

const units: Partial<Record<FactField, string>> = {
  ram_gb: "GB",
  storage_gb: "GB",
  screen_inches: "inches",
  battery_health: "%",
  weight_grams: "grams",
};

export function labelOf(name: FactField): string {
  if (name === "screen_resolution") return "Screen resolution";
  const { label } = factFields[name];
  return name in units ? `${label} (${units[name]})` : label;
}

export const whole = { type: "number", step: 1, inputMode: "numeric" } as const;

/** Optional fields beyond the specification. Starts open if a field has a value. */
export function FactsFields({ form, section }: FactsFieldsProps) {
  const [isFilled] = useState(() => factFormFields.some((name) => form.getValues(name)?.length));
  const field = (name: FactField) => ({ form, name, label: labelOf(name) });
  return (
    <details ref={section} open={isFilled} className="sm:col-span-2">
      <summary className="unfold link-hover">
        <Icon name="chevron-right" className="size-4" />
        More details
      </summary>
      <p className="mt-1 mb-4 text-muted text-sm">All optional. Leave out what you don't know.</p>
      <fieldset
        tabIndex={-1}
        aria-label="Facts"
        className="fields min-w-0 scroll-mt-4 gap-x-6 rounded-field sm:grid-cols-2"
      >
        <FormField {...field("brand")} placeholder="Lenovo" />
        <FormField {...field("model_line")} placeholder="ThinkPad X1 Carbon" />
        <FormField {...field("cpu")} list="choices-cpu" placeholder="Intel Core i7-1165G7" />
        <FormField {...field("gpu")} list="choices-gpu" placeholder="Intel Iris Xe" />
        <FormField {...field("ram_gb")} {...whole} list="choices-ram_gb" placeholder="16" />
        <FormField {...field("storage_gb")} {...whole} placeholder="512" />
        <FormField
          {...field("screen_inches")}
          type="number"
          step="0.1"
          inputMode="decimal"
          placeholder="14"
        />
        <FormField
          {...field("screen_resolution")}
          list="choices-screen_resolution"
          placeholder="1920 × 1080"
        />
        <FormField {...field("battery_health")} {...whole} />
        <FormField {...field("battery_cycles")} {...whole} />
        <FormField {...field("operating_system")} placeholder="Windows 11 Pro" />
        <FormField {...field("keyboard_layout")} placeholder="US English" />
        <FormField {...field("weight_grams")} {...whole} />
        <FormField {...field("warranty_until")} type="date" />
        <FormField {...field("defects")} as="textarea" />
        <FormField {...field("included")} as="textarea" placeholder="Charger, box, sleeve" />
      </fieldset>
      <fieldset>
        <legend className="mb-1.5 font-medium text-sm">{labelOf("ports")}</legend>
        <div className="flex flex-wrap gap-x-6">
          {ports.map((port) => (
            <label key={port} className="flex min-h-11 items-center gap-2 text-sm">
              <input
                type="checkbox"
                value={port}
                className="size-4.5 accent-primary"
                {...form.register("ports")}
              />
              {port}
            </label>
          ))}
        </div>
      </fieldset>
    </details>
  );
}

/** Opens the section of optional fields, so that a field in it can be focused. */
export function useMoreDetails() {
  const ref = useRef<HTMLDetailsElement>(null);
  const open = () => ref.current?.setAttribute("open", "");
  return {
    ref,
    openFor: (names: string[]) => factFormFields.some((name) => names.includes(name)) && open(),
    show: () => {
      open();
      ref.current?.querySelector("fieldset")?.focus();
    },
  };
}
