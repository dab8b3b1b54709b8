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
  type readCatalog,
} from "#contract/manage-categories.ts";
import { useCall } from "#web/api/api.ts";
import { useConfirmedCall } from "#web/domain/members/ConfirmIdentity.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Dialog } from "#web/ui/Dialog.tsx";
import { Form, FormField, FormMessage, FormSubmit } from "#web/ui/Form.tsx";
import { usePhotoUrl } from "#web/ui/Photo.tsx";
import { toast } from "#web/ui/toast.ts";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";
import { PictureField } from "./PictureField.tsx";

type CategoryButtonProps = {
  /** Undefined to add a new category. */
  category?: OwnedCategory;
  basedOn: string;
};

export function CategoryButton(props: CategoryButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const name = props.category?.product_category;
  return (
    <>
      <Button
        {...(name && { look: "plain", size: "small", "aria-label": `Edit ${name}` })}
        className="self-start"
        onClick={() => setOpen(true)}
      >
        {name ? "Edit" : "Add a category"}
      </Button>
      {isOpen && <CategoryDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function CategoryDialog(props: CategoryButtonProps & { onClose: () => void }) {
  const { category, basedOn: current, onClose } = props;
  // The version when the form was opened, so that saving never undoes another admin's change.
  const [basedOn] = useState(current);
  const photoUrl = usePhotoUrl();
  const form = useZodForm(categoryForm, { product_category: category?.product_category ?? "" });
  const options = {
    onError: (error: Error) => showFormError(form, error),
    onSuccess: () => {
      toast.success(`${form.getValues("product_category").trim()} saved.`);
      onClose();
    },
  };
  const add = useCall(addCategory, options);
  const change = useCall(changeCategory, options);
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

export type RowProps = { category: OwnedCategory; catalog: Answer<typeof readCatalog> };

export function DeleteCategory(props: RowProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        look="plain"
        size="small"
        aria-label={`Delete ${props.category.product_category}`}
        onClick={() => setOpen(true)}
      >
        Delete
      </Button>
      {isOpen && <DeleteDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function DeleteDialog({ category, catalog, onClose }: RowProps & { onClose: () => void }) {
  const { _id: id, product_category: name, laptops } = category;
  const [basedOn] = useState(catalog.version);
  const others = catalog.categories.filter(({ _id }) => _id !== id);
  const form = useZodForm(moveForm, { moveTo: laptops === 0 ? others[0]?._id : "" });
  const remove = useConfirmedCall(deleteCategory, {
    onError: (error) => showFormError(form, error),
    onSuccess: () => {
      toast.success(`${name} deleted.`);
      onClose();
    },
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
