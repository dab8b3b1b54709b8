import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { z } from "zod";
import type { Answer } from "#contract/call.ts";
import {
  addCategory,
  categoryForm,
  changeCategory,
  deleteCategory,
  moveForm,
  type OwnedCategory,
  readCatalog,
} from "#contract/manage-categories.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { CallButton } from "#web/api/CallButton.tsx";
import { useFormCall } from "#web/api/form-call.tsx";
import { useConfirmedCall } from "#web/domain/members/ConfirmIdentity.tsx";
import { Button } from "#web/ui/Button.tsx";
import { type Column, DataTable, TableSkeleton } from "#web/ui/DataTable.tsx";
import { Dialog } from "#web/ui/Dialog.tsx";
import { DialogButton } from "#web/ui/DialogButton.tsx";
import { Form, FormField, FormMessage, FormSubmit } from "#web/ui/Form.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { usePhotoUrl } from "#web/ui/Photo.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";
import { PictureField } from "./PictureField.tsx";

const columns: Column<OwnedCategory>[] = [
  { header: "Picture", as: "photo", cell: ({ brandImg }) => <Picture img={brandImg} /> },
  {
    header: "Category",
    as: "title",
    cell: ({ product_category, hidden }) => (
      <span className="inline-flex items-center gap-1.5 font-medium">
        <bdi>{product_category}</bdi>
        {hidden && <span className="rounded-full border px-2 text-xs">Hidden</span>}
      </span>
    ),
  },
  { header: "Laptops", as: "amount", cell: ({ laptops }) => laptops.toLocaleString("en-US") },
];

export function Catalog() {
  const found = useQuery(queryOf(readCatalog, {}));
  return (
    <QueryState query={found} skeleton={<TableSkeleton columns={columns} rows={12} />}>
      {(catalog) => (
        <div className="flex flex-col gap-6">
          <CategoryButton basedOn={catalog.version} />
          <DataTable
            caption="Categories"
            columns={[
              ...columns,
              { header: "Order", cell: (one) => <Order category={one} catalog={catalog} /> },
              { header: "Action", cell: (one) => <Actions category={one} catalog={catalog} /> },
            ]}
            rows={catalog.categories}
          />
        </div>
      )}
    </QueryState>
  );
}

type RowProps = { category: OwnedCategory; catalog: Answer<typeof readCatalog> };

function Picture({ img }: { img: string }) {
  const photoUrl = usePhotoUrl();
  return <img src={photoUrl(img)} alt="" className="brand-chip" />;
}

function Order({ category, catalog: { categories, version: basedOn } }: RowProps) {
  const { _id: id, product_category: name } = category;
  const move = useCall(changeCategory);
  const at = categories.indexOf(category);
  return (
    <div className="flex gap-2">
      {(["up", "down"] as const).map((way) => (
        <Button
          key={way}
          look="plain"
          size="small"
          aria-label={`Move ${name} ${way}`}
          disabled={at === (way === "up" ? 0 : categories.length - 1)}
          busy={move.isPending}
          onClick={() =>
            move.mutate({ params: { id }, body: { place: way === "up" ? at : at + 2, basedOn } })
          }
        >
          <Icon name={`chevron-${way}`} className="size-4" />
        </Button>
      ))}
    </div>
  );
}

function Actions(props: RowProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <CategoryButton category={props.category} basedOn={props.catalog.version} />
      <Hide {...props} />
      <DialogButton
        aria-label={`Delete ${props.category.product_category}`}
        dialog={(onClose) => <DeleteDialog {...props} onClose={onClose} />}
      >
        Delete
      </DialogButton>
    </div>
  );
}

function Hide({ category, catalog: { version: basedOn } }: RowProps) {
  const { _id: id, product_category: name, hidden } = category;
  const verb = hidden ? "Show" : "Hide";
  return (
    <CallButton
      aria-label={`${verb} ${name}`}
      call={changeCategory}
      request={{ params: { id }, body: { hidden: !hidden, basedOn } }}
      success={hidden ? `${name} is shown again.` : `${name} is hidden. Its laptops stay for sale.`}
    >
      {verb}
    </CallButton>
  );
}

type CategoryButtonProps = {
  /** Undefined to add a new category. */
  category?: OwnedCategory;
  basedOn: string;
};

function CategoryButton(props: CategoryButtonProps) {
  const name = props.category?.product_category;
  return (
    <DialogButton
      {...(name ? { "aria-label": `Edit ${name}` } : { look: "primary", size: "medium" })}
      className="self-start"
      dialog={(onClose) => <CategoryDialog {...props} onClose={onClose} />}
    >
      {name ? "Edit" : "Add a category"}
    </DialogButton>
  );
}

function CategoryDialog(props: CategoryButtonProps & { onClose: () => void }) {
  const { category, basedOn: current, onClose } = props;
  // The version when the form was opened, so that saving never undoes another admin's change.
  const [basedOn] = useState(current);
  const photoUrl = usePhotoUrl();
  const form = useZodForm(categoryForm, { product_category: category?.product_category ?? "" });
  const success = `${form.watch("product_category").trim()} saved.`;
  const add = useFormCall(form, addCategory, { success, onSuccess: onClose });
  const change = useFormCall(form, changeCategory, { success, onSuccess: onClose });
  const save = (fields: z.output<typeof categoryForm>) => {
    const body = { ...fields, basedOn };
    if (category) change.mutate({ params: { id: category._id }, body });
    else add.mutate({ body });
  };
  return (
    <Dialog
      title={category ? `Edit ${category.product_category}` : "Add a category"}
      onClose={onClose}
    >
      <Form form={form} onSubmit={save}>
        <FormField form={form} name="product_category" label="Name" />
        <PictureField
          form={form}
          name="picture"
          label="Picture"
          stored={category && photoUrl(category.brandImg)}
          width={192}
          height={192}
        />
        <FormSubmit form={form} busy={add.isPending || change.isPending}>
          Save
        </FormSubmit>
      </Form>
    </Dialog>
  );
}

function DeleteDialog({ category, catalog, onClose }: RowProps & { onClose: () => void }) {
  const { _id: id, product_category: name, laptops } = category;
  const [basedOn] = useState(catalog.version);
  const others = catalog.categories.filter(({ _id }) => _id !== id);
  const form = useZodForm(moveForm, { moveTo: laptops === 0 ? others[0]?._id : "" });
  const remove = useConfirmedCall(deleteCategory, {
    onError: (error) => showFormError(form, error),
    success: `${name} deleted.`,
    onSuccess: onClose,
  });
  const options = others.map((other) => ({ value: other._id, label: other.product_category }));
  return (
    <Dialog title={`Delete ${name}?`} onClose={onClose}>
      <Form
        form={form}
        onSubmit={({ moveTo }) => remove.mutate({ params: { id }, body: { moveTo, basedOn } })}
      >
        <p>
          {laptops === 0 ? "It has no laptops." : `${countOf(laptops)} to the category you choose.`}
          {" Links to the category stop working. This can't be undone."}
        </p>
        {laptops > 0 && (
          <FormField
            form={form}
            name="moveTo"
            label="Move the laptops to"
            as="select"
            options={[{ value: "", label: "Choose a category" }, ...options]}
          />
        )}
        <FormMessage message={form.formState.errors.root?.message} />
        <div className="flex flex-wrap justify-end gap-3">
          <Button look="plain" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="danger" busy={remove.isPending}>
            Delete
          </Button>
        </div>
      </Form>
      {remove.confirmation}
    </Dialog>
  );
}

function countOf(laptops: number): string {
  if (laptops === 1) return "Its laptop moves";
  return `Its ${laptops.toLocaleString("en-US")} laptops, also sold ones, move`;
}
