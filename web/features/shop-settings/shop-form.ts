import { z } from "zod";
import { type FeeRule, noFee } from "#contract/fee.ts";
import { builtInColors, type ShopSettings, shopSettings } from "#contract/shop-settings.ts";

type FeeFields = Record<keyof FeeRule, string>;

/** The settings as form fields. Numbers are text, and optional settings have the checkbox `own`. */
export type ShopForm = Omit<ShopSettings, "colors" | "fee"> & {
  colors: NonNullable<ShopSettings["colors"]> & { own: boolean };
  fee: FeeFields & { own: boolean };
};

/** Turns the fields into settings, which the contract validates. */
export const shopForm = z
  .custom<ShopForm>()
  .transform(({ colors: { own, ...colors }, fee, ...rest }) => ({
    ...rest,
    colors: own ? colors : null,
    fee: fee.own ? feeRuleOf(fee) : null,
  }))
  .pipe(shopSettings as z.ZodType<ShopSettings, ShopSettings>);

/** The settings as form fields. If the owner has set no fee, its fields contain `defaultFee`. */
export function formOf(settings: ShopSettings, defaultFee: FeeRule = noFee): ShopForm {
  const { colors, fee, ...rest } = settings;
  const { percent, fixed, minimum, cap } = fee ?? defaultFee;
  return {
    ...rest,
    colors: { own: colors !== null, ...(colors ?? builtInColors) },
    fee: {
      own: fee !== null,
      percent: String(percent),
      fixed: String(fixed),
      minimum: String(minimum),
      cap: cap === null ? "" : String(cap),
    },
  };
}

/** An empty field is 0. Text that isn't a number becomes NaN, which the contract rejects. */
export function feeRuleOf({ percent, fixed, minimum, cap }: FeeFields): FeeRule {
  return {
    percent: Number(percent),
    fixed: Number(fixed),
    minimum: Number(minimum),
    cap: cap.trim() === "" ? null : Number(cap),
  };
}
