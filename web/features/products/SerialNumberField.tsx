import type { UseFormReturn } from "react-hook-form";
import { FormField } from "#web/ui/FormField.tsx";
import type { ProductForm } from "./product-form.ts";

type SerialNumberFieldProps = {
  form: Pick<UseFormReturn<ProductForm>, "register" | "formState" | "watch">;
  /** The last four characters of the stored number, which stays unless the seller types another. */
  stored: string | null | undefined;
};

/**
 * The machine's serial number; optional. A seller who bought the laptop here proves the purchase
 * with the transaction ID.
 */
export function SerialNumberField({ form, stored }: SerialNumberFieldProps) {
  return (
    <>
      <FormField
        form={form}
        name="serialNumber"
        label="Serial Number (optional)"
        autoComplete="off"
        spellCheck={false}
        placeholder={stored ? `Ends in ${stored}` : "PF2X1A3B"}
        hint="We store only the last four characters and show them to the buyer after payment. Each laptop can be listed once."
      />
      {form.watch("serialNumber") && (
        <FormField
          form={form}
          name="transactionId"
          label="Transaction ID (if you bought it here)"
          autoComplete="off"
          spellCheck={false}
          hint="It's on your receipt, and in the email about your payment."
        />
      )}
    </>
  );
}
