import { z } from "zod";
import { cacheTags } from "./cache-tags.ts";
import { acknowledged, call, date, id, inserted } from "./call.ts";
import { currencies } from "./currencies.ts";
import { type EmailName, emailNames, placeholdersIn, placeholdersOf } from "./emails.ts";
import { maxFee } from "./fee.ts";
import { pngDataUrl } from "./images.ts";
import { informationTitles } from "./page-paths.ts";
import { conditionDescriptions } from "./products.ts";
import { email, hasAddress, hidden, leaveOutControls, text } from "./text.ts";

/** Possibly empty, without control characters or bidirectional overrides. */
function optionalLine(max: number) {
  return optionalText(max).refine(
    (value) => !/[\t\n\r\u2028\u2029]/.test(value),
    "Please keep this to one line.",
  );
}

function optionalText(max: number) {
  return z
    .string()
    .trim()
    .max(max, `Use at most ${max} characters.`)
    .refine((value) => !hidden.test(value), leaveOutControls);
}

const profile = optionalLine(200).refine(
  (value) => value === "" || URL.parse(value)?.protocol === "https:",
  "Enter an address that begins with https://, or leave this empty.",
);

/** A background on which `text` is readable (WCAG 2.2, 1.4.3). */
function color(text: string, advice: string) {
  return z
    .string()
    .regex(/^#[\da-f]{6}$/i, { error: "Enter a color such as #005b46.", abort: true })
    .refine((value) => contrast(value, text) >= 4.5, advice);
}

/** The titles of the information pages whose text an owner can replace, by path. */
export const pageTitles: Record<string, string> = Object.fromEntries(
  Object.values(informationTitles).flatMap((pages) => Object.entries(pages)),
);

const pageText = z.object({
  text: optionalText(20_000).refine((value) => value !== "", "Write the page first."),
  /** A digest of the built-in text. The form warns if that text changes. */
  basedOn: z.string().max(20),
});

/** An empty text means the built-in text. */
function emailTexts(name: EmailName) {
  const allowed = placeholdersOf(name);
  const known = (text: ReturnType<typeof optionalText>) =>
    text
      .refine(
        (value) => placeholdersIn(value).every((placeholder) => allowed.includes(placeholder)),
        `Use no placeholders except ${allowed.join(", ")}.`,
      )
      .default("");
  return z
    .object({ subject: known(optionalLine(120)), opening: known(optionalText(500)) })
    .prefault({});
}

const emails = z.strictObject(
  Object.fromEntries(emailNames.map((name) => [name, emailTexts(name)])) as {
    [Name in EmailName]: ReturnType<typeof emailTexts>;
  },
  { error: unknownSetting },
);

function unknownSetting(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== "unrecognized_keys") return undefined;
  return `There is no setting ${issue.keys.join(", ")}.`;
}

const explanation = text("Explain this condition.", 120);

function number(min: number, max: number, message = `Enter a number from ${min} to ${max}.`) {
  return z.number(message).min(min, message).max(max, message);
}

function wholeNumber(min: number, max: number, unit: string) {
  const message = `Enter a whole number of ${unit} from ${min} to ${max}.`;
  return number(min, max, message).int(message);
}

/** Two decimals whatever the currency, because the same settings may change the currency. */
function amount(max: number, min = 0) {
  const message = `Enter an amount from ${min} to ${max}, with at most two decimals.`;
  return number(min, max, message).refine((value) => Number(value.toFixed(2)) === value, message);
}

/** contract/fee.ts explains the rule. */
export const feeRule = z
  .object({
    percent: number(0, maxFee.percent),
    fixed: amount(maxFee.fixed),
    minimum: amount(maxFee.minimum),
    cap: amount(maxFee.cap).nullable(),
  })
  .refine(({ minimum, cap }) => cap === null || cap >= minimum, {
    error: "“At most” can't be less than “At least”.",
    path: ["cap"],
  });

/**
 * With the largest values, a complaint's return deadline is 79 days after the payment. In most
 * countries, Stripe keeps money for 90 days.
 */
const dealTimes = z.object({
  holdHours: wholeNumber(1, 72, "hours"),
  handoverDays: wholeNumber(2, 30, "days"),
  complaintHours: wholeNumber(24, 336, "hours"),
  returnDays: wholeNumber(2, 14, "days"),
});

export type DealTimes = z.output<typeof dealTimes>;

/** `INVITE_BUDGET_MONTH` limits the cost within 30 days. */
const promoRules = z.object({
  inviteCredit: amount(10_000),
  purchaseCredit: amount(10_000),
  discountPercent: number(1, 90),
  discountOver: amount(10_000_000),
  discountCap: amount(1_000_000, 1),
});

/** The settings that an owner can change on the Shop page. */
export const shopSettings = z.object({
  name: optionalLine(30)
    .refine((value) => /[\p{L}\p{N}]/u.test(value), "Enter the name of your shop.")
    .refine((value) => !hasAddress(value), "The name can't be a web or email address.")
    .default("Secondlap"),
  tagline: optionalLine(160).default(
    "Good laptops deserve a second lap. Bought from people, passed on with care.",
  ),
  announcement: optionalLine(160).default(""),
  operator: z
    .object({
      name: optionalLine(100),
      address: optionalText(300),
      email: optionalLine(254).refine(
        (value) => value === "" || email.safeParse(value).success,
        "Enter an email address, or leave this empty.",
      ),
      registration: optionalLine(60),
    })
    .default({ name: "", address: "", email: "", registration: "" }),
  social: z
    .object({ x: profile, youtube: profile, facebook: profile })
    .default({ x: "", youtube: "", facebook: "" }),
  /** Pictures, not URLs, so that each version of the settings is complete. */
  logo: pngDataUrl(60).default(""),
  icon: pngDataUrl(120).default(""),
  /** Text is white on `main` and dark on `accent`. */
  colors: z
    .object({
      main: color("#ffffff", "White text can't be read on this color. Choose a darker one."),
      accent: color("#2b1a06", "Dark text can't be read on this color. Choose a lighter one."),
    })
    .nullable()
    .default(null),
  /** ISO 4217. Fixed while an offer is open, and once a laptop has been booked. */
  currency: z.enum(currencies, "Choose one of the currencies.").default("USD"),
  /** If `fee`, `times` or `promo` is null, the environment variables apply. */
  fee: feeRule.nullable().default(null),
  times: dealTimes.nullable().default(null),
  promo: promoRules.nullable().default(null),
  /** `sellers`: who may list laptops. `approval`: whether admins approve listings first. */
  selling: z
    .object({
      sellers: z.enum(["everybody", "verified"], "Choose who may sell."),
      approval: z.boolean("Say whether you approve listings."),
    })
    .default({ sellers: "everybody", approval: false }),
  /** Whether only some people may enter, such as admins (server/pages/closed-shop.ts). */
  closed: z.boolean("Say whether the shop is closed.").default(false),
  conditions: z
    .object({ Excellent: explanation, Good: explanation, Fair: explanation })
    .default(conditionDescriptions),
  texts: z.partialRecord(z.enum(Object.keys(pageTitles)), pageText).default({}),
  emails: emails.prefault({}),
});

export type ShopSettings = z.output<typeof shopSettings>;

/** The names of the settings on the Shop page. */
export const settingNames: Record<string, string> = {
  name: "Shop name",
  tagline: "Tagline",
  announcement: "Announcement",
  operator: "Who runs the shop",
  social: "Profiles",
  logo: "Logo",
  icon: "Icon",
  colors: "Colors",
  currency: "Currency",
  fee: "Fee",
  times: "Times",
  promo: "Promo",
  selling: "Selling",
  closed: "Closed",
  conditions: "Conditions",
  texts: "Pages",
  emails: "Emails",
} satisfies Record<keyof ShopSettings, string>;

/** Rejects an object without any known setting, because publishing it would reset the shop. */
export const sentSettings = z.preprocess(
  (sent: z.input<typeof shopSettings>, { addIssue }) => {
    const names = Object.keys(Object(sent));
    if (!names.some((name) => Object.hasOwn(shopSettings.shape, name)))
      addIssue("Send the settings of the shop.");
    return sent;
  },
  z.strictObject(shopSettings.shape, { error: unknownSetting }),
);

export const defaultSettings: ShopSettings = shopSettings.parse({});

/** Colors of the built-in logo, emails and link previews if the owner has chosen none. */
export const builtInColors = { main: "#005b46", accent: "#fbb862" };

/** `changed` names the settings that differ from the previous version. */
const version = z.object({
  _id: id,
  publishedAt: date,
  publishedBy: z.string(),
  changed: z.array(z.string()),
});

export const readShopSettings = call("GET /shopSettings", {
  access: "owner",
  summary: "The shop's published settings, the draft, and the latest versions, newest first",
  reads: ["shopSettings"],
  answers: {
    200: z.object({
      published: shopSettings,
      /** 0 if nothing has been published yet. */
      number: z.number(),
      draft: shopSettings.nullable(),
      draftRevision: z.string().nullable(),
      /** Whether a laptop has been booked, so that the currency can't change anymore. */
      isCurrencyFixed: z.boolean(),
      /** The values in force for settings that the owner has left out. */
      defaults: z.object({
        fee: feeRule,
        times: z.record(dealTimes.keyof(), z.number()),
        /** In hundreds of cents (`PromoRules`), because the owner may choose another currency. */
        promo: z.record(promoRules.keyof(), z.number()),
      }),
      versions: z.array(version),
    }),
  },
});

const versionNumber = z
  .int("Say which version the settings were made from.")
  .min(0, "There is no such version.")
  .max(1_000_000, "There is no such version.");

const limit = { max: 200, minutes: 60 };

/** Enough for two pictures and the text of each page. */
const maxBodyBytes = 2 * 1024 * 1024;

/** The revision that the owner saw; null if there was no draft. */
const seenDraft = z.string().max(40, "There is no such draft.").nullable().default(null);

export const saveShopDraft = call("PUT /shopSettings/draft", {
  access: "owner",
  limit,
  summary: "Save the draft, and get its id: the value of the cookie with which pages show it",
  body: z.object({
    settings: sentSettings,
    basedOn: versionNumber,
    over: seenDraft,
  }),
  maxBodyBytes,
  changes: ["shopSettings"],
  answers: { 200: inserted.extend({ draftRevision: z.string() }) },
  refusals: ["STALE"],
});

export const discardShopDraft = call("DELETE /shopSettings/draft", {
  access: "owner",
  limit,
  summary: "Discard the draft of the shop's settings",
  changes: ["shopSettings"],
  answers: { 200: acknowledged },
});

export const publishShopSettings = call("POST /shopSettings", {
  access: "owner",
  limit,
  summary: "Publish settings made from the version `basedOn` on every page, and discard the draft",
  body: z.object({ settings: sentSettings, basedOn: versionNumber, over: seenDraft }),
  maxBodyBytes,
  changes: ["shopSettings"],
  changesPublicAnswers: true,
  answers: { 200: acknowledged },
  refusals: ["STALE", "CURRENCY_FIXED", "CONFIRM_PASSWORD", "CONFIRM_PROVIDER"],
});

export const restoreShopVersion = call("POST /shopSettings/restore", {
  access: "owner",
  limit,
  summary:
    "Publish an earlier version of the settings again, and discard the draft; null: the built-in settings, except the currency and whether the shop is closed",
  body: z.object({ _id: id.nullable() }),
  changes: ["shopSettings"],
  changesPublicAnswers: true,
  answers: { 200: acknowledged },
  refusals: ["NOT_FOUND", "CURRENCY_FIXED", "CONFIRM_PASSWORD", "CONFIRM_PROVIDER"],
});

export const previewEmail = call("POST /shopSettings/email", {
  access: "owner",
  limit: { max: 60, minutes: 60 },
  summary:
    "Write an email with sample values as the draft has it, and send it to the caller if asked",
  body: z.object({ name: z.enum(emailNames, "There is no such email."), send: z.boolean() }),
  changes: [],
  answers: { 200: z.object({ subject: z.string(), text: z.string() }) },
  refusals: ["IN_USE"],
});

export const readPageText = call("GET /pageText", {
  access: "public",
  summary: "The owner's text of an information page in Markdown, or null for the built-in text",
  query: z.object({ path: z.enum(Object.keys(pageTitles), "There is no such page.") }),
  reads: [],
  cacheTags: () => [cacheTags.shop],
  answers: { 200: z.object({ text: z.string().nullable() }) },
});

/** From 1 to 21 (WCAG 2.2, "contrast ratio"). */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
