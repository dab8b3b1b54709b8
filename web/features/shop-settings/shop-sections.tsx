import { type ReactNode, useState } from "react";
import type { Path } from "react-hook-form";
import { currencies, inCurrency } from "#contract/currencies.ts";
import { type FeeRule, feeOf, feeText } from "#contract/fee.ts";
import { promoOf } from "#contract/invitation-rules.ts";
import { currencySign, formatPrice, toDollars } from "#contract/price.ts";
import { conditions } from "#contract/products.ts";
import { FormField } from "#web/ui/Form.tsx";
import { counted } from "#web/ui/format-dates-and-counts.ts";
import { PictureField } from "./PictureField.tsx";
import {
  type Defaults,
  feeRuleOf,
  formOf,
  promoFields,
  type SettingsForm,
  type ShopForm,
} from "./shop-form.ts";
import "#web/ui/figures-table.css";
import type { z } from "zod";
import { sentSettings } from "#contract/shop-settings.ts";
import { Button } from "#web/ui/Button.tsx";
import { FileButton } from "#web/ui/FileButton.tsx";
import { downloadFile } from "#web/ui/object-url.ts";

export function Look({ form }: { form: SettingsForm }) {
  return (
    <Section title="Name and look">
      <FormField form={form} name="name" label="Shop name" />
      <FormField form={form} name="tagline" label="Tagline" hint="In the footer of every page." />
      <PictureField form={form} name="logo" label="Logo" width={480} height={96} />
      <PictureField form={form} name="icon" label="Icon" width={512} height={512} />
      <Check form={form} name="colors.own" label="Use your own colors" />
      {form.watch("colors.own") && (
        <div className="grid gap-x-6 sm:grid-cols-2">
          <FormField
            form={form}
            name="colors.main"
            label="Main color"
            type="color"
            hint="Buttons and large areas, with white text on it."
          />
          <FormField
            form={form}
            name="colors.accent"
            label="Accent color"
            type="color"
            hint="Small highlights, with dark text on it."
          />
        </div>
      )}
      <FormField
        form={form}
        name="announcement"
        label="Announcement"
        hint="A line above every page. Leave it empty for none."
      />
    </Section>
  );
}

export function Operator({ form }: { form: SettingsForm }) {
  const profile = { type: "url", placeholder: "https://" };
  return (
    <Section title="Who runs the shop">
      <FormField form={form} name="operator.name" label="Name" />
      <FormField form={form} name="operator.address" label="Address" as="textarea" />
      <FormField form={form} name="operator.email" label="Email" type="email" />
      <FormField form={form} name="operator.registration" label="Registration number" />
      <FormField form={form} name="social.x" label="X" {...profile} />
      <FormField form={form} name="social.youtube" label="YouTube" {...profile} />
      <FormField form={form} name="social.facebook" label="Facebook" {...profile} />
    </Section>
  );
}

const sellerOptions = [
  { value: "everybody", label: "Everybody" },
  { value: "verified", label: "Verified sellers" },
];

export function Selling({ form }: { form: SettingsForm }) {
  return (
    <Section title="Selling">
      <FormField
        form={form}
        name="selling.sellers"
        label="Who may sell"
        as="select"
        options={sellerOptions}
        hint="You verify sellers on All Sellers. What is on sale already stays."
      />
      <Check
        form={form}
        name="selling.approval"
        label="Approve each listing under To Check before it is on sale"
      />
      <p className="text-muted text-sm">
        With approval on, a listing whose title, description or photos change later stays on sale
        and comes back under To Check.
      </p>
    </Section>
  );
}

export function Closed({ form }: { form: SettingsForm }) {
  return (
    <Section title="Closed">
      <p className="mb-4 text-muted">
        Visitors of a closed shop read that it opens soon. Members finish their deals, and admins
        see everything.
      </p>
      <Check form={form} name="closed" label="Close the shop" />
    </Section>
  );
}

export function Conditions({ form }: { form: SettingsForm }) {
  return (
    <Section title="Conditions">
      <p className="mb-4 text-muted">
        What each condition means in your shop. Sellers and buyers see it beside the laptop.
      </p>
      {conditions.map((name) => (
        <FormField key={name} form={form} name={`conditions.${name}`} label={name} />
      ))}
    </Section>
  );
}

const currencyOptions = currencies.map((value) => ({
  value,
  label: `${value}, ${new Intl.DisplayNames("en-US", { type: "currency" }).of(value)}`,
}));

type TermsProps = { form: SettingsForm; defaults: Defaults };

type MoneyProps = TermsProps & {
  /** The currency that can't change anymore, if any. */
  fixedCurrency: string | undefined;
};

export function Money({ form, defaults, fixedCurrency }: MoneyProps) {
  const [fee, currency] = form.watch(["fee", "currency"]);
  form.register("currency", {
    onChange: ({ target }) => {
      const promo = promoFields({ promo: null, currency: target.value }, defaults);
      if (!form.getValues("promo.own")) form.setValue("promo", promo, { shouldDirty: true });
    },
  });
  const sign = inCurrency(currency, currencySign);
  return (
    <Section title="Money">
      <FormField
        form={form}
        name="currency"
        label="Currency"
        as="select"
        options={currencyOptions}
        // A draft or an opened file may hold another currency, which must be changed back.
        disabled={currency === fixedCurrency}
        hint={
          fixedCurrency
            ? `It can't change anymore, because laptops have been booked at prices in ${fixedCurrency}.`
            : "Choose a currency that Stripe pays out to you. Publishing changes the sign of all prices, not the number: $450 becomes €450. You can't change it while offers are open, or after the first booking."
        }
      />
      <p className="mb-4 text-muted">
        Your fee for each sale. A booking keeps the fee that was set when it was made. By default:{" "}
        {feeText(defaults.fee) || "no fee"}.
      </p>
      <Check form={form} name="fee.own" label="Set the fee here" />
      {fee.own && (
        <>
          <Numbers
            form={form}
            fields={[
              { name: "fee.percent", label: "Percent of the price" },
              { name: "fee.fixed", label: `Plus an amount (${sign})` },
              { name: "fee.minimum", label: `At least (${sign})` },
              { name: "fee.cap", label: `At most (${sign})`, hint: "Empty for no limit." },
            ]}
          />
          <FeeExample rule={feeRuleOf(fee)} currency={currency} />
        </>
      )}
    </Section>
  );
}

export function Times({ form, defaults: { times } }: TermsProps) {
  return (
    <Section title="Times">
      <p className="mb-4 text-muted">
        A booking keeps the times that were set when it was made. A return keeps the days that were
        set when it was decided. By default: {counted(times.holdHours, "hour")} to pay,{" "}
        {counted(times.handoverDays, "day")} to hand over, {counted(times.complaintHours, "hour")}{" "}
        to complain, {counted(times.returnDays, "day")} to return.
      </p>
      <Check form={form} name="times.own" label="Set the times here" />
      {form.watch("times.own") && (
        <Numbers
          form={form}
          fields={[
            {
              name: "times.holdHours",
              label: "Hours to pay",
              hint: "Counted from the booking. After this time, the hold ends.",
            },
            {
              name: "times.handoverDays",
              label: "Days to hand over",
              hint: "Counted from the payment. After this time, the buyer is refunded.",
            },
            {
              name: "times.complaintHours",
              label: "Hours to complain",
              hint: "Counted from the handover. After this time, the seller is paid.",
            },
            {
              name: "times.returnDays",
              label: "Days to return",
              hint: "Counted from a decision for the buyer. After this time, we tell you.",
            },
          ]}
        />
      )}
    </Section>
  );
}

export function Promo({ form, defaults }: TermsProps) {
  const currency = form.watch("currency");
  const sign = inCurrency(currency, currencySign);
  return (
    <Section title="Promo">
      <p className="mb-4 text-muted">
        What members get for inviting friends. A purchase keeps the promo that was set when the
        laptop was put on hold. By default: “
        {inCurrency(currency, () => promoOf(defaults.promo)).sentence}”
      </p>
      <Check form={form} name="promo.own" label="Set the promo here" />
      {form.watch("promo.own") && (
        <Numbers
          form={form}
          fields={[
            { name: "promo.discountPercent", label: "The friend's discount in percent" },
            { name: "promo.discountOver", label: `On a purchase over (${sign})` },
            { name: "promo.discountCap", label: `The discount is at most (${sign})` },
            { name: "promo.inviteCredit", label: `Credit for inviting (${sign})` },
            { name: "promo.purchaseCredit", label: `Credit for the next purchase (${sign})` },
          ]}
        />
      )}
    </Section>
  );
}

type NumbersProps = {
  form: SettingsForm;
  fields: { name: Path<ShopForm>; label: string; hint?: string }[];
};

function Numbers({ form, fields }: NumbersProps) {
  return (
    <div className="grid gap-x-6 sm:grid-cols-2">
      {fields.map((field) => (
        <FormField key={field.name} form={form} inputMode="decimal" {...field} />
      ))}
    </div>
  );
}

/** In cents. */
const prices = [10_000, 50_000, 150_000];

/** Shows an owner how the rule works. Empty for an invalid rule. */
function FeeExample({ rule, currency }: { rule: FeeRule; currency: string }) {
  if (Number.isNaN(feeOf(100, rule))) return null;
  const rows = inCurrency(currency, () =>
    prices.map((price) => {
      const fee = feeOf(price, rule);
      return [price, fee, price - fee].map((cents) => formatPrice(toDollars(cents)));
    }),
  );
  return (
    <table className="figures-table">
      <caption className="sr-only">What a seller gets</caption>
      <thead>
        <tr>
          <th>Price</th>
          <th>Your fee</th>
          <th>The seller gets</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([price, kept, left]) => (
          <tr key={price}>
            <td>{price}</td>
            <td>{kept}</td>
            <td>{left}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type SectionProps = { title: string; className?: string; children: ReactNode };

export function Section({ title, className = "gap-1", children }: SectionProps) {
  return (
    <fieldset className={`flex flex-col ${className}`}>
      <legend className="mb-4 font-display font-semibold text-heading">{title}</legend>
      {children}
    </fieldset>
  );
}

type CheckProps = {
  form: SettingsForm;
  name: `${"colors" | "fee" | "times" | "promo"}.own` | "selling.approval" | "closed";
  label: string;
};

function Check({ form, name, label }: CheckProps) {
  return (
    <label className="mb-4 flex items-center gap-3">
      <input type="checkbox" className="size-5 flex-none accent-primary" {...form.register(name)} />
      {label}
    </label>
  );
}

/** Downloads or opens all settings as a file, which may come from another shop. */
export function SettingsFile({ form, defaults }: { form: SettingsForm; defaults: Defaults }) {
  const [problem, setProblem] = useState<string>();
  const download = form.handleSubmit((settings) =>
    downloadFile("shop-settings.json", JSON.stringify(settings, null, 2), "application/json"),
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
