import { useQuery } from "@tanstack/react-query";
import { floorForm, readOfferFloor, setOfferFloor } from "#contract/offers.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { toast } from "#web/ui/toast.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";

/** A form for the seller's lowest price for a laptop. */
export function OfferFloor({ laptopId }: { laptopId: string }) {
  const floor = useQuery(queryOf(readOfferFloor, { params: { id: laptopId } }));
  return (
    <section aria-labelledby="offer-floor" className="mt-8">
      <h2 id="offer-floor" className="mb-2 text-heading">
        Offers
      </h2>
      <QueryState query={floor} skeleton={<div className="h-20" />}>
        {(known) => <FloorForm laptopId={laptopId} floor={known.floor} />}
      </QueryState>
    </section>
  );
}

function FloorForm({ laptopId: id, floor }: { laptopId: string; floor: number | null }) {
  const form = useZodForm(floorForm, { floor: floor === null ? "" : String(floor) });
  const save = useCall(setOfferFloor, {
    onError: (error) => showFormError(form, error),
    onSuccess: () => toast.success("Saved."),
  });
  const submit = form.handleSubmit((body) => save.mutate({ params: { id }, body }));
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-2">
      <FormField
        form={form}
        name="floor"
        label="Lowest price"
        inputMode="decimal"
        hint="We decline offers below it for you. Buyers never see it. Leave it empty to answer every offer yourself."
      />
      <FormMessage message={form.formState.errors.root?.message} />
      <Button type="submit" look="plain" busy={save.isPending} className="self-start">
        Save lowest price
      </Button>
    </form>
  );
}
