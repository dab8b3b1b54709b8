import { useLocation, useNavigate } from "react-router";
import { factFormFields, type ProductForm } from "./product-form.ts";

export type ProductStep = {
  id: "photos" | "model" | "condition" | "price" | "contact";
  title: string;
  /** In display order. */
  fields: readonly (keyof ProductForm)[];
};

export const productSteps: readonly [ProductStep, ...ProductStep[]] = [
  { id: "photos", title: "Photos", fields: ["photo", "pictures"] },
  {
    id: "model",
    title: "Model and report",
    fields: ["productName", "category", "serialNumber", "transactionId", ...factFormFields],
  },
  {
    id: "condition",
    title: "Condition",
    fields: ["condition", "purchaseYear", "duration", "productDescription"],
  },
  { id: "price", title: "Price", fields: ["resalePrice", "originalPrice", "floor"] },
  { id: "contact", title: "Contact", fields: ["mobileNumber", "location"] },
];

/** The fragment that shows all steps on one page. */
export const onePage = "#all";

/** From the URL's fragment, so that Back works; undefined if all steps are on one page. */
export function useProductStep() {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const step =
    hash === onePage
      ? undefined
      : (productSteps.find(({ id }) => hash === `#${id}`) ?? productSteps[0]);
  // Shows the step at once, because a hidden field can't be focused.
  const goTo = ({ id }: ProductStep) =>
    step && step.id !== id && void navigate(`#${id}`, { flushSync: true });
  return { step, goTo };
}
