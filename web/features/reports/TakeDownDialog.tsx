import { type ProductWithContact, takeDownForm, takeDownProduct } from "#contract/products.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { Dialog } from "#web/ui/Dialog.tsx";
import { Form, FormField, FormMessage } from "#web/ui/Form.tsx";
import { toast } from "#web/ui/toast.ts";
import { showFormError, useZodForm } from "#web/ui/use-zod-form.ts";

type TakeDownDialogProps = { product: ProductWithContact; onClose: () => void };

export default function TakeDownDialog({ product, onClose }: TakeDownDialogProps) {
  const { _id, product_name } = product;
  const form = useZodForm(takeDownForm, { reason: "" });
  const takeDown = useCall(takeDownProduct, {
    onSuccess: () => {
      toast.success(`${product_name} has been taken down.`);
      onClose();
    },
    onError: (error) => showFormError(form, error),
  });
  return (
    <Dialog title="Take down this listing?" onClose={onClose}>
      <Form form={form} onSubmit={({ reason }) => takeDown.mutate({ body: { id: _id, reason } })}>
        <p dir="auto" className="user-text">
          {product_name} will be removed from all public pages, and any unpaid hold on it will end.
          We'll email the reason to the seller. A report about it stays until you delete it.
        </p>
        <FormField
          form={form}
          name="reason"
          label="Reason"
          as="textarea"
          hint="The seller reads it as you write it. It is kept in the audit log."
        />
        <FormMessage message={form.formState.errors.root?.message} />
        <div className="flex flex-wrap justify-end gap-3">
          <Button look="plain" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="danger" busy={takeDown.isPending}>
            Take down
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
