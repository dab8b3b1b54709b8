import { useState } from "react";
import { type Control, useWatch } from "react-hook-form";
import { Link, useLocation, useNavigate } from "react-router";
import { changesOf } from "#contract/call-resources.ts";
import { salesStatuses } from "#contract/life-cycle.ts";
import { addProduct } from "#contract/products.ts";
import { browserApi } from "#web/api/api.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";
import { ListingForm } from "./ListingForm.tsx";
import {
  type FilledProduct,
  type ProductForm,
  type ProductStep,
  productDraft,
  productSteps,
  productWithPhotoForm,
  toRequest,
} from "./product-form.ts";

type AddProductFormProps = {
  seller: { name: string; email: string; verify: boolean };
  /** The draft's photo, restored after a reload. */
  draftPhoto: File | undefined;
};

/** The Add Product form (specification 5.3), in steps or on one page. */
export function AddProductForm({ seller, draftPhoto }: AddProductFormProps) {
  const empty = {
    category: "",
    ports: [],
    pictures: [],
    ...(draftPhoto && { photo: { file: draftPhoto, area: null } }),
  };
  const form = useZodForm<ProductForm, FilledProduct>(productWithPhotoForm, empty, productDraft);
  const { step, goTo } = useProductStep();
  // Fixed, because a retry after a lost response must send the same request.
  const [postedAt] = useState(() => new Date().toISOString());
  return (
    <>
      <ProductSteps control={form.control} step={step} />
      <ListingForm
        form={form}
        send={async (product, images) => {
          const known = {
            ...toRequest(product),
            postedAt,
            // Specification 7 (POST /products) names these fields, but the server ignores them.
            sellerEmail: seller.email,
            seller_name: seller.name,
            sales_status: salesStatuses[0],
            advertise: false,
            verify: seller.verify,
          };
          const [img = ""] = images;
          const body = images.length > 1 ? { ...known, img, images } : { ...known, img };
          await browserApi(addProduct, { body });
        }}
        changes={changesOf(addProduct)}
        saved={(name) => `Product ${name} is added successfully`}
        button="Add Product"
        draft={productDraft.name}
        sellerName={seller.name}
        step={step}
        goTo={goTo}
      />
    </>
  );
}

const onePage = "#all";

/** Reads the step from the URL's fragment, so that Back works; undefined shows all steps. */
function useProductStep() {
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

type ProductStepsProps = {
  control: Control<ProductForm, unknown, FilledProduct>;
  step: ProductStep | undefined;
};

function ProductSteps({ control, step }: ProductStepsProps) {
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

function missingFields(form: ProductForm): (PropertyKey | undefined)[] {
  const { error } = productWithPhotoForm.safeParse(form);
  return error?.issues.map(({ path: [field] }) => field) ?? [];
}
