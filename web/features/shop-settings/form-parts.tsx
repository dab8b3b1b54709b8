import type { ReactNode } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { ShopSettings } from "#contract/shop-settings.ts";
import type { ShopForm } from "./shop-form.ts";

export type Form = UseFormReturn<ShopForm, unknown, ShopSettings>;

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-4 font-display font-semibold text-heading">{title}</legend>
      {children}
    </fieldset>
  );
}

type CheckProps = {
  form: Form;
  name: `${"colors" | "fee" | "times" | "promo"}.own` | "selling.approval" | "closed";
  label: string;
};

export function Check({ form, name, label }: CheckProps) {
  return (
    <label className="mb-4 flex items-center gap-3">
      <input type="checkbox" className="size-5 flex-none accent-primary" {...form.register(name)} />
      {label}
    </label>
  );
}
