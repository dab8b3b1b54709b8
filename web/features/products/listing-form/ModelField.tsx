import { useEffect, useState } from "react";
import type { Category } from "#contract/categories.ts";
import { Combobox } from "#web/ui/Combobox.tsx";
import { Field } from "#web/ui/Field.tsx";
import type { ProductFields, ProductForm } from "./product-form.ts";

type ModelFieldProps = {
  form: ProductFields;
  categories: Category[];
};

/** Choosing a model fills in its fixed facts where the seller has entered nothing. */
export function ModelField({ form, categories }: ModelFieldProps) {
  const catalogue = useCatalogue();
  const [filled, fillIn] = useFilledFacts(form, categories);
  const name = form.watch("productName") ?? "";
  const model = catalogue?.models.find((known) => known.name === name);
  const options = model ? [] : (catalogue?.findModels(name, 8) ?? []);
  return (
    <div className="sm:col-span-2">
      <Field
        label="Product Name"
        hint="Start with the model. If you choose one from the list, we fill in what is known about it."
        error={form.formState.errors.productName?.message}
      >
        {(control) => (
          <Combobox
            control={control}
            field={form.register("productName")}
            placeholder="ThinkPad X1 Carbon Gen 9"
            options={options}
            onChoose={(chosen) => {
              form.setValue("productName", chosen.name, {
                shouldValidate: true,
                shouldDirty: true,
              });
              if (catalogue) fillIn(catalogue.factsOfModel(chosen));
            }}
          />
        )}
      </Field>
      <p role="status" className="text-muted text-sm">
        {model && filled && (
          <span className="mb-4 block">
            {`Filled in under More details: ${filled}. Please check it.`}
            {model.batteryWh && ` When new, its battery held ${model.batteryWh} Wh.`}
          </span>
        )}
      </p>
      {catalogue && model && <Choices byField={catalogue.choicesOf(model)} />}
    </div>
  );
}

/** `FactsFields` refers to these lists by id. */
function Choices({ byField }: { byField: Record<string, string[]> }) {
  return Object.entries(byField).map(([field, choices]) => (
    <datalist key={field} id={`choices-${field}`}>
      {choices.map((choice) => (
        <option key={choice} value={choice} />
      ))}
    </datalist>
  ));
}

/** Until the catalog has loaded, the field accepts free text only. */
function useCatalogue() {
  const [catalogue, setCatalogue] = useState<typeof import("./model-catalogue/models.ts")>();
  useEffect(() => {
    import("./model-catalogue/models.ts").then(setCatalogue, () => {});
  }, []);
  return catalogue;
}

/** Describes the filled-in facts. `fillIn` replaces them, but keeps what the seller typed. */
function useFilledFacts({ getValues, setValue }: ModelFieldProps["form"], categories: Category[]) {
  const [filled, setFilled] = useState<Partial<ProductForm>>({});
  const fillIn = (facts: Partial<ProductForm>) => {
    const { brand } = facts;
    const category = categories.find(
      ({ product_category }) => brand && product_category.startsWith(brand),
    );
    const values: Partial<ProductForm> = { ...facts, ...(category && { category: category._id }) };
    const names = Object.keys({ ...filled, ...values }) as (keyof typeof values)[];
    const free = names.filter((name) => {
      const value = String(getValues(name) ?? "");
      return value === "" || value === String(filled[name] ?? "");
    });
    for (const name of free)
      setValue(name, values[name] ?? (name === "ports" ? [] : ""), { shouldDirty: true });
    const applied = free.filter((name) => values[name] !== undefined);
    setFilled(Object.fromEntries(applied.map((name) => [name, values[name]])));
  };
  return [describeFacts(filled), fillIn] as const;
}

/** Empty if a model has filled in nothing but the category. */
function describeFacts({ category: _, ...facts }: Partial<ProductForm>): string {
  const { ports, screen_inches, weight_grams, ...others } = facts;
  return [
    ...Object.values(others),
    screen_inches && `${screen_inches} inches`,
    weight_grams && `${weight_grams} grams`,
    ports && `ports: ${ports.join(", ")}`,
  ]
    .filter(Boolean)
    .join("; ");
}
