import type { UseFormReturn } from "react-hook-form";
import { z } from "zod";
import type { Answer } from "#contract/call.ts";
import { inCurrency } from "#contract/currencies.ts";
import type { FeeRule } from "#contract/fee.ts";
import { ruleCents, withAmounts } from "#contract/invitation-rules.ts";
import { toDollars } from "#contract/price.ts";
import {
  builtInColors,
  type readShopSettings,
  type ShopSettings,
  shopSettings,
} from "#contract/shop-settings.ts";

/** The values that apply to settings that the owner has not set. */
export type Defaults = Answer<typeof readShopSettings>["defaults"];

type Fields<Part extends keyof Defaults> = Record<keyof Defaults[Part], string> & { own: boolean };

/** Numbers are text, and optional settings have the checkbox `own`. */
export type ShopForm = Omit<ShopSettings, "colors" | keyof Defaults> & {
  colors: NonNullable<ShopSettings["colors"]> & { own: boolean };
} & { [Part in keyof Defaults]: Fields<Part> };

export type SettingsForm = UseFormReturn<ShopForm, unknown, ShopSettings>;

export const shopForm = z
  .custom<ShopForm>()
  .transform(({ colors: { own, ...colors }, fee, times, promo, ...rest }) => ({
    ...rest,
    colors: own ? colors : null,
    fee: fee.own ? feeRuleOf(fee) : null,
    times: times.own ? numbersOf(times) : null,
    promo: promo.own ? numbersOf(promo) : null,
  }))
  .pipe(shopSettings as z.ZodType<ShopSettings, ShopSettings>);

/** Fields that the owner has not set contain the defaults. */
export function formOf(settings: ShopSettings, defaults: Defaults): ShopForm {
  const { colors, fee, times, ...rest } = settings;
  return {
    ...rest,
    colors: { own: colors !== null, ...(colors ?? builtInColors) },
    fee: { own: fee !== null, ...textsOf(fee ?? defaults.fee) },
    times: { own: times !== null, ...textsOf(times ?? defaults.times) },
    promo: promoFields(settings, defaults),
  };
}

type PromoSettings = Pick<ShopSettings, "promo" | "currency">;

/** The defaults are in the chosen currency. */
export function promoFields({ promo, currency }: PromoSettings, defaults: Defaults) {
  const amounts = () => withAmounts(defaults.promo, (amount) => toDollars(ruleCents(amount)));
  return { own: promo !== null, ...textsOf(promo ?? inCurrency(currency, amounts)) };
}

export function feeRuleOf(fee: Fields<"fee">): FeeRule {
  return { ...numbersOf(fee), cap: fee.cap.trim() === "" ? null : Number(fee.cap) };
}

function textsOf<Name extends string>(numbers: Record<Name, number | null>): Record<Name, string> {
  const texts = Object.entries(numbers).map(([name, value]) => [name, String(value ?? "")]);
  return Object.fromEntries(texts);
}

/** An empty field is 0. Text that isn't a number becomes NaN, which the contract refuses. */
function numbersOf<Name extends string>(
  fields: Record<Name, string> & { own: boolean },
): Record<Exclude<Name, "own">, number> {
  const { own, ...texts } = fields;
  const numbers = Object.entries(texts).map(([name, text]) => [name, Number(text)]);
  return Object.fromEntries(numbers);
}
