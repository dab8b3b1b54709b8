import { ramSizes } from "#contract/facts.ts";
import type { ProductForm } from "../product-form.ts";
import type { Model } from "./models.ts";

/** The facts that the model alone determines, in the form's format. */
export function factsOfModel(model: Model): Partial<ProductForm> {
  const { brand, line, inches, grams, ports } = model;
  const known = {
    brand,
    model_line: line,
    cpu: only(model.cpus),
    gpu: only(model.gpus),
    screen_inches: inches,
    screen_resolution: only(model.resolutions),
    weight_grams: grams,
  };
  const filled = Object.entries(known).filter(([, value]) => value);
  return { ...Object.fromEntries(filled), ...(ports.length > 0 && { ports }) };
}

function only(choices: string[]): string | undefined {
  return choices.length === 1 ? choices[0] : undefined;
}

/** The values that differ between the model's configurations, by form field. */
export function choicesOf({ cpus, gpus, resolutions, maxRamGb }: Model) {
  const ram = ramSizes.filter((size) => maxRamGb !== undefined && size <= maxRamGb);
  return { cpu: cpus, gpu: gpus, screen_resolution: resolutions, ram_gb: ram.map(String) };
}

/** Empty if a model has filled in nothing but the category. */
export function describeFacts({ category: _, ...facts }: Partial<ProductForm>): string {
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
