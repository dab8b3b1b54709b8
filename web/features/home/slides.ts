import { paths } from "#web/paths.ts";
import type { IconName } from "#web/ui/icon-names.ts";

export type Slide = {
  headline: string;
  text: string;
  action: { label: string; to: string };
  /** The pictured laptop's state. If absent, the laptop is for sale, and the slide links to it. */
  state?: { icon: IconName; label: string };
  background: string;
  button: "primary" | "accent";
};

/**
 * The carousel's slides (specification 1). Two sentences repeat `contract/deal-texts.ts`, to avoid
 * loading that file. A test compares them.
 */
export const slides: Slide[] = [
  {
    headline: "Used laptops, paid safely, handed over in person",
    text: "Book one for free, and pay when you're sure.",
    action: { label: "Find a laptop", to: "#categories" },
    background: "bg-deep text-deep-content on-deep",
    button: "accent",
  },
  {
    headline: "One tap, and nobody else can take it",
    text: "Pay by card when you're sure. We keep your money until after the handover.",
    action: { label: "Choose a brand", to: "#categories" },
    state: { icon: "clock", label: "Held for you" },
    background: "bg-sand text-sand-content",
    button: "primary",
  },
  {
    headline: "Your old laptop has years left in it",
    text: "Add a photo, a price and an honest description, and it's listed.",
    action: { label: "Sell a laptop", to: paths.addProduct() },
    state: { icon: "badge-check", label: "Listed" },
    background: "bg-secondary text-secondary-content",
    button: "primary",
  },
];
