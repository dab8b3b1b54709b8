import type { Product } from "#contract/products.ts";
import { reportProduct } from "#contract/reports.ts";
import { useCall } from "#web/api/api.ts";
import type { Session } from "#web/auth/session.ts";
import { ProductName } from "#web/domain/products/ProductName.tsx";
import { Dialog } from "#web/ui/Dialog.tsx";
import { clearDraft } from "#web/ui/drafts.ts";
import { FixedField } from "#web/ui/Field.tsx";
import { DialogSubmit, Form, FormField } from "#web/ui/Form.tsx";
import { toast } from "#web/ui/toast.ts";
import { showFieldErrors, useFormWithDraft } from "#web/ui/use-zod-form.ts";

type ReportProductFormProps = { product: Product; member: Session["user"]; onClose: () => void };

export default function ReportProductForm(props: ReportProductFormProps) {
  const { product, member, onClose } = props;
  const draft = { name: `report ${product._id}`, fields: ["comment"] } as const;
  const form = useFormWithDraft({ defaultValues: { comment: "" } }, draft);
  const report = useCall(reportProduct, {
    success: "Reported Successfully.",
    onError: (error) => {
      if (!showFieldErrors(form, error)) toast.error(error.message);
    },
    onSuccess: () => {
      clearDraft(draft.name);
      onClose();
    },
  });
  const { product_name } = product;
  const { displayName: name, email } = member;
  return (
    <Dialog title={<ProductName name={product_name} />} onClose={onClose}>
      <Form
        form={form}
        onSubmit={({ comment }) =>
          report.mutate({ body: { name, email, comment, reportProduct: product } })
        }
      >
        <FixedField label="Name" value={name} />
        <FixedField label="Email" value={email} />
        <FormField
          form={form}
          name="comment"
          label="Comment"
          as="textarea"
          hint="What should our team know? The seller won't see who wrote it."
        />
        <DialogSubmit form={form} busy={report.isPending} />
      </Form>
    </Dialog>
  );
}
