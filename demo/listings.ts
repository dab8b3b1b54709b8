import type { CategoryName } from "./categories.ts";
import { acer } from "./listings/acer.ts";
import { apple } from "./listings/apple.ts";
import { asus } from "./listings/asus.ts";
import { dell } from "./listings/dell.ts";
import { framework } from "./listings/framework.ts";
import { hp } from "./listings/hp.ts";
import { lenovo } from "./listings/lenovo.ts";
import { lg } from "./listings/lg.ts";
import { msi } from "./listings/msi.ts";
import { razer } from "./listings/razer.ts";
import { samsung } from "./listings/samsung.ts";
import { surface } from "./listings/surface.ts";
import type { Draft, Listing } from "./types.ts";

const drafts: Readonly<Record<CategoryName, readonly Draft[]>> = {
  Apple: apple,
  Lenovo: lenovo,
  Dell: dell,
  HP: hp,
  ASUS: asus,
  Acer: acer,
  "Microsoft Surface": surface,
  Framework: framework,
  Razer: razer,
  MSI: msi,
  Samsung: samsung,
  LG: lg,
};

/** Every laptop of the demo, category by category. */
export const listings: readonly Listing[] = Object.entries(drafts).flatMap(([category, ofBrand]) =>
  ofBrand.map((draft) => filed(category as CategoryName, draft)),
);

function filed(product_category: CategoryName, draft: Draft): Listing {
  const { condition, product_name: seed, specs } = draft;
  return {
    ...draft,
    product_category,
    advertise: draft.advertise ?? false,
    look: { ...draft.look, seed, condition, screen_in: specs.screen_in },
  };
}
