import { Link, useNavigate } from "react-router";
import { paymentFilter } from "#contract/payments.ts";
import { paths, paymentsOf } from "#web/paths.ts";
import { Button, buttonClass } from "#web/ui/Button.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { useCheckedForm } from "#web/ui/use-checked-form.ts";

/** Which payments are shown, kept in the page's address. */
export function PaymentsSearch({ search = "" }: { search?: string | undefined }) {
  const form = useCheckedForm(paymentFilter, { search });
  const navigate = useNavigate();
  return (
    <search>
      <form
        onSubmit={form.handleSubmit((chosen) => navigate(paymentsOf(chosen.search)))}
        noValidate
        className="fields mb-2 grid-cols-[minmax(0,26rem)_auto]"
      >
        <FormField
          form={form}
          name="search"
          label="Search"
          type="search"
          autoComplete="off"
          hint="A buyer's email, or the start of one, or a transaction id."
        />
        <div className="col-start-2 row-start-3 mb-0 flex gap-2">
          <Button type="submit">Search</Button>
          {search !== "" && (
            <Link to={paths.payments()} className={buttonClass({ look: "quiet" })}>
              Show all
            </Link>
          )}
        </div>
      </form>
    </search>
  );
}
