import { z } from "zod";
import { paragraphs, text } from "./text.ts";

export const ports = [
  "USB-C",
  "Thunderbolt",
  "USB-A",
  "HDMI",
  "DisplayPort",
  "Mini DisplayPort",
  "VGA",
  "Ethernet",
  "Headphones",
  "SD card",
  "microSD card",
  "SIM card",
  "MagSafe",
] as const;

/** Common memory sizes, in GB. */
export const ramSizes = [2, 3, 4, 6, 8, 12, 16, 18, 20, 24, 32, 36, 40, 48, 64, 96, 128];

/** `machine`: a report generated on the laptop itself. */
export const factOrigins = ["seller", "machine"] as const;
export type FactOrigin = (typeof factOrigins)[number];

/** In display order. The database checks the same ranges. */
export const factFields = {
  brand: { label: "Brand", max: 40 },
  model_line: { label: "Model line", max: 60 },
  cpu: { label: "Processor", max: 80 },
  cpu_family: { label: "Processor family", max: 40 },
  cpu_generation: { label: "Processor generation", min: 1, max: 30, unit: "", example: 11 },
  ram_gb: { label: "Memory", min: 1, max: 1024, unit: "GB", example: 16 },
  storage_gb: { label: "Storage", min: 8, max: 65_536, unit: "GB", example: 512 },
  gpu: { label: "Graphics", max: 80 },
  screen_inches: { label: "Screen size", min: 5, max: 22, unit: "inches", example: 13.3 },
  screen_width: { label: "Screen width", min: 320, max: 16_000, unit: "pixels", example: 1920 },
  screen_height: { label: "Screen height", min: 200, max: 16_000, unit: "pixels", example: 1080 },
  battery_health: { label: "Battery health", min: 1, max: 100, unit: "percent", example: 88 },
  battery_cycles: { label: "Battery cycles", min: 0, max: 5000, unit: "cycles", example: 120 },
  keyboard_layout: { label: "Keyboard layout", max: 40 },
  operating_system: { label: "Operating system", max: 60 },
  ports: { label: "Ports" },
  weight_grams: { label: "Weight", min: 300, max: 12_000, unit: "grams", example: 1300 },
  warranty_until: {
    label: "Warranty until",
    min: "2000-01-01",
    max: "2060-12-31",
    example: "2027-02-28",
  },
  defects: { label: "Defects", max: 1000 },
  included: { label: "What comes with it", max: 500 },
} as const;

export type FactName = keyof typeof factFields;
export const factNames = Object.keys(factFields) as FactName[];

const emptyMessage = (label: string) =>
  `${label} can't be empty. Leave it out if you don't know it.`;

type TextField = { label: string; max: number };

const line = ({ label, max }: TextField) => text(emptyMessage(label), max).nullish();

const longText = ({ label, max }: TextField) => paragraphs(emptyMessage(label), max).nullish();

type NumberField = { label: string; min: number; max: number; unit: string; example: number };

/** Accepts whole numbers, or one decimal if the fact's example has a decimal. */
function number({ label, min, max, unit, example }: NumberField) {
  const step = Number.isInteger(example) ? 1 : 0.1;
  const kind = step === 1 ? "a whole number" : "a number with at most one decimal";
  const inUnit = unit === "" ? "" : ` ${unit}`;
  const wrong = `${label} must be ${kind}, such as ${example}.`;
  return z
    .number(wrong)
    .refine((value) => Number.isInteger(Number((value / step).toFixed(9))), {
      error: wrong,
      abort: true,
    })
    .refine((value) => value >= min, `${label} can't be less than ${min}${inUnit}.`)
    .refine((value) => value <= max, `${label} can't be more than ${max}${inUnit}.`)
    .nullish();
}

function day({ label, min, max, example }: (typeof factFields)["warranty_until"]) {
  return z.iso
    .date(`${label} must be a date, such as ${example}.`)
    .refine((value) => value >= min, `${label} can't be before ${min}.`)
    .refine((value) => value <= max, `${label} can't be after ${max}.`)
    .nullish();
}

const portList = z
  .array(z.enum(ports, `Choose from: ${ports.join(", ")}.`), "Ports must be a list.")
  .min(1, "Choose at least one port, or leave the ports out.")
  .max(ports.length, "Name each port once.")
  .refine((list) => new Set(list).size === list.length, "Name each port once.")
  .nullish();

const resolutionMessage = "Send both the screen's width and its height in pixels.";

/** Facts that a seller may add to the specification's fields. */
export const statedFacts = z
  .object(
    {
      brand: line(factFields.brand),
      model_line: line(factFields.model_line),
      cpu: line(factFields.cpu),
      cpu_family: line(factFields.cpu_family),
      cpu_generation: number(factFields.cpu_generation),
      ram_gb: number(factFields.ram_gb),
      storage_gb: number(factFields.storage_gb),
      gpu: line(factFields.gpu),
      screen_inches: number(factFields.screen_inches),
      screen_width: number(factFields.screen_width),
      screen_height: number(factFields.screen_height),
      battery_health: number(factFields.battery_health),
      battery_cycles: number(factFields.battery_cycles),
      keyboard_layout: line(factFields.keyboard_layout),
      operating_system: line(factFields.operating_system),
      ports: portList,
      weight_grams: number(factFields.weight_grams),
      warranty_until: day(factFields.warranty_until),
      defects: longText(factFields.defects),
      included: longText(factFields.included),
    } satisfies Record<FactName, z.ZodType>,
    "facts must be an object.",
  )
  .refine(({ screen_width, screen_height }) => (screen_width == null) === (screen_height == null), {
    error: resolutionMessage,
    path: ["screen_width"],
  });

export type StatedFacts = z.output<typeof statedFacts>;

/** The names of the facts that come from the laptop's own report. */
export const machineFacts = z
  .array(z.enum(factNames, "machineFacts must be names of facts."), "machineFacts must be a list.")
  .max(factNames.length, "Name each fact once.")
  .nullish();

export const facts = z.object({
  brand: z.string().optional(),
  model_line: z.string().optional(),
  cpu: z.string().optional(),
  cpu_family: z.string().optional(),
  cpu_generation: z.number().optional(),
  ram_gb: z.number().optional(),
  storage_gb: z.number().optional(),
  gpu: z.string().optional(),
  screen_inches: z.number().optional(),
  screen_width: z.number().optional(),
  screen_height: z.number().optional(),
  battery_health: z.number().optional(),
  battery_cycles: z.number().optional(),
  keyboard_layout: z.string().optional(),
  operating_system: z.string().optional(),
  ports: z.array(z.string()).optional(),
  weight_grams: z.number().optional(),
  warranty_until: z.iso.date().optional(),
  defects: z.string().optional(),
  included: z.string().optional(),
} satisfies Record<FactName, z.ZodType>);

export type Facts = z.output<typeof facts>;

const typed = z.string().trim().default("");

/** For a form: an empty field counts as missing. */
export function typedText<S extends z.ZodType<unknown, string | null | undefined>>(schema: S) {
  return typed.transform((value): string | null | undefined => value || undefined).pipe(schema);
}

function typedNumber<S extends z.ZodType<unknown, number | null | undefined>>(schema: S) {
  return typed
    .transform((value): number | null | undefined => (value === "" ? undefined : Number(value)))
    .pipe(schema);
}

const wrongResolution = "Screen resolution must be width × height, such as 1920 × 1080.";

const typedResolution = typed
  .refine((value) => value === "" || resolutionPattern.test(value), {
    error: wrongResolution,
    abort: true,
  })
  .transform((value) => resolutionPattern.exec(value)?.slice(1).map(Number))
  .refine(
    (sizes) =>
      !sizes ||
      (statedFacts.shape.screen_width.safeParse(sizes[0]).success &&
        statedFacts.shape.screen_height.safeParse(sizes[1]).success),
    wrongResolution,
  );

const resolutionPattern = /^(\d{3,5})\s*[x×*]\s*(\d{3,5})$/i;

const { shape } = statedFacts;

/** Field names are those of the API, but the screen's width and height share one field. */
export const factsForm = z.object({
  brand: typedText(shape.brand),
  model_line: typedText(shape.model_line),
  cpu: typedText(shape.cpu),
  ram_gb: typedNumber(shape.ram_gb),
  storage_gb: typedNumber(shape.storage_gb),
  gpu: typedText(shape.gpu),
  screen_inches: typedNumber(shape.screen_inches),
  screen_resolution: typedResolution,
  battery_health: typedNumber(shape.battery_health),
  battery_cycles: typedNumber(shape.battery_cycles),
  keyboard_layout: typedText(shape.keyboard_layout),
  operating_system: typedText(shape.operating_system),
  weight_grams: typedNumber(shape.weight_grams),
  warranty_until: typedText(shape.warranty_until),
  ports: z
    .array(z.enum(ports))
    .default([])
    .transform((list) => (list.length === 0 ? undefined : list)),
  defects: typedText(shape.defects),
  included: typedText(shape.included),
});

export function toStatedFacts(form: z.output<typeof factsForm>): StatedFacts | undefined {
  const { screen_resolution: [screen_width, screen_height] = [], ...rest } = form;
  const stated = { ...rest, screen_width, screen_height };
  const isEmpty = Object.values(stated).every((value) => value === undefined);
  return isEmpty ? undefined : stated;
}
