import type { ComponentType } from "react";
import { paths } from "#web/paths.ts";
import { ForSale, Held, type IllustrationProps, Listed } from "./slide-illustrations.tsx";

export type Slide = {
  headline: string;
  text: string;
  action: { label: string; to: string };
  Illustration: ComponentType<IllustrationProps>;
  /** The CSS classes of the slide's background. */
  background: string;
  button: "primary" | "accent";
};

/**
 * The carousel's slides (specification 1). One slide repeats a text of `contract/deal-texts.ts`, to
 * avoid loading that file. A test compares the two texts.
 */
export const slides: Slide[] = [
  {
    headline: "Welcome to Secondlap",
    text: "Used laptops. Pay safely, meet in person.",
    action: { label: "Find a laptop", to: "#categories" },
    Illustration: ForSale,
    background: "bg-deep text-deep-content on-deep",
    button: "accent",
  },
  {
    headline: "One tap, and nobody else can take it",
    text: "Pay by card when you're sure. We keep your money until after the handover.",
    action: { label: "Choose a brand", to: "#categories" },
    Illustration: Held,
    background: "bg-sand text-sand-content",
    button: "primary",
  },
  {
    headline: "Your old laptop has laps left in it",
    text: "Add a photo, a price and an honest description, and it's listed.",
    action: { label: "Sell a laptop", to: paths.addProduct() },
    Illustration: Listed,
    background: "bg-secondary text-secondary-content",
    button: "primary",
  },
];
