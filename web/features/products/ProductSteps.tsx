import { type Control, useWatch } from "react-hook-form";
import { Link } from "react-router";
import { Icon } from "#web/ui/Icon.tsx";
import { type FilledProduct, type ProductForm, productWithPhotoForm } from "./product-form.ts";
import { onePage, type ProductStep, productSteps } from "./product-steps.ts";

type ProductStepsProps = {
  control: Control<ProductForm, unknown, FilledProduct>;
  /** Undefined if all steps are on one page. */
  step: ProductStep | undefined;
};

/** Links to the steps of Add Product. Complete steps are marked. */
export function ProductSteps({ control, step }: ProductStepsProps) {
  const missing = useWatch({ control, compute: missingFields });
  if (!step)
    return (
      <Link to={`#${productSteps[0].id}`} className="link mb-4 inline-block text-sm">
        Show one step at a time
      </Link>
    );
  return (
    <nav aria-label="Steps" className="mb-6">
      <ol className="product-steps">
        {productSteps.map(({ id, title, fields }, index) => {
          const isComplete = !fields.some((field) => missing.includes(field));
          return (
            <li key={id} data-complete={isComplete || undefined}>
              <Link to={`#${id}`} aria-current={id === step.id ? "step" : undefined}>
                <span aria-hidden="true">
                  {isComplete ? <Icon name="check" className="size-4" /> : index + 1}
                </span>
                <span>
                  {title}
                  {isComplete && <span className="comma">, complete</span>}
                </span>
              </Link>
            </li>
          );
        })}
      </ol>
      <Link to={onePage} className="link mt-4 block text-end text-sm">
        Show all on one page
      </Link>
    </nav>
  );
}

/** The fields without a valid value. */
function missingFields(form: ProductForm): (PropertyKey | undefined)[] {
  const { error } = productWithPhotoForm.safeParse(form);
  return error?.issues.map(({ path: [field] }) => field) ?? [];
}
