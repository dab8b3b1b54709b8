import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { Answer } from "#contract/call.ts";
import { afterPayment } from "#contract/deal-texts.ts";
import {
  confirmHandover,
  confirmHandoverByCode,
  type Handover,
  handoverCodeForm,
  issueHandoverCode,
} from "#contract/handover.ts";
import { browserApi } from "#web/api/api.ts";
import { ConfirmCallButton } from "#web/api/CallButton.tsx";
import { useFormCall } from "#web/api/form-call.tsx";
import { paths } from "#web/paths.ts";
import { Button } from "#web/ui/Button.tsx";
import { draftKey } from "#web/ui/clear-drafts.ts";
import { Form, FormField, FormSubmit } from "#web/ui/Form.tsx";
import { QrCode } from "#web/ui/QrCode.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { Spinner } from "#web/ui/Spinner.tsx";
import { useZodForm } from "#web/ui/use-zod-form.ts";

/** The code that the buyer shows the seller at the handover or the return, with its QR code. */
export function HandoverCode({ deal }: { deal: Handover }) {
  const shown = useQuery({
    queryKey: ["handover code", deal._id],
    queryFn: () => codeToShow(deal),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const showNew = () => {
    sessionStorage.removeItem(keyOf(deal._id));
    void shown.refetch();
  };
  const isReturn = deal.refund === "waits";
  return (
    <>
      <p>
        {isReturn
          ? "Give the laptop back to the seller and show them this. Your refund starts when they enter it."
          : `Look the laptop over first. Once you have it in your hands, show this to the seller. ${afterPayment.sayWhatIsWrong}`}
      </p>
      <p className="text-muted text-sm">
        Only the newest code works.
        {!isReturn && " Never send it to anyone before you have the laptop."}
      </p>
      <QueryState query={shown} skeleton={<Spinner />}>
        {({ code, issuedAt, qrCode }) => {
          const problem = problemOf(deal, issuedAt);
          return problem ? (
            <p role="alert">{problem}</p>
          ) : (
            <>
              <p role="status" className="text-center font-mono text-4xl tracking-widest">
                {`${code.slice(0, 3)} ${code.slice(3)}`}
              </p>
              <QrCode
                rows={qrCode}
                label={`QR code of your ${isReturn ? "return" : "handover"} code`}
              />
            </>
          );
        }}
      </QueryState>
      {shown.data && (
        <Button look="plain" busy={shown.isFetching} onClick={showNew}>
          Show a new code
        </Button>
      )}
    </>
  );
}

/** Explains why the displayed code is no longer valid; undefined for a valid code. */
function problemOf({ code }: Handover, issuedAt: string): string | undefined {
  if (!code || code.issuedAt < issuedAt) return undefined;
  if (code.issuedAt > issuedAt)
    return "You've opened a newer code in another window, so this one no longer works.";
  return code.locked ? "The seller has entered five wrong codes. Show them a new one." : undefined;
}

async function codeToShow(deal: Handover) {
  const { code, issuedAt } = await codeFor(deal);
  const { encode } = await import("uqr");
  // The code is in the fragment, which browsers don't send to the server.
  const link = `${location.origin}${paths.handover(deal._id)}#${code}`;
  return { code, issuedAt, qrCode: encode(link, { ecc: "M", border: 4 }).data };
}

type CodeShown = Answer<typeof issueHandoverCode>;

/** Reuses the code stored in this tab, because the server has only a hash (decisions/handover). */
async function codeFor({ _id, code }: Handover): Promise<CodeShown> {
  const kept: CodeShown | null = JSON.parse(sessionStorage.getItem(keyOf(_id)) ?? "null");
  if (kept && kept.issuedAt === code?.issuedAt && !code.locked) return kept;
  const { body } = await browserApi(issueHandoverCode, { body: { id: _id } });
  sessionStorage.setItem(keyOf(_id), JSON.stringify(body));
  return body;
}

function keyOf(bookingId: string): string {
  return draftKey(`handover code ${bookingId}`);
}

const texts = {
  handover: {
    first:
      "Let the buyer check the laptop. Once they are happy with it, ask for the six digits that they find under Handover code in My Orders.",
    label: "Handover code",
    confirm: "Confirm handover",
    success: "Handed over. Payouts shows when the money is on its way.",
  },
  return: {
    first:
      "Look the laptop over. Once you have it back, ask the buyer for the six digits under Return code in My Orders. They then get all of their money back.",
    label: "Return code",
    confirm: "Confirm return",
    success: "You have it back. The buyer is refunded.",
  },
};

/** `scanned` is the code from the QR link, or empty. */
export function HandoverForm({ deal, scanned }: { deal: Handover; scanned: string }) {
  const { _id: id } = deal;
  const isReturn = deal.refund === "waits";
  const { first, label, confirm: submit, success } = texts[isReturn ? "return" : "handover"];
  const navigate = useNavigate();
  const form = useZodForm(handoverCodeForm, { code: scanned });
  const onSuccess = () => void navigate(paths.myProducts(), { replace: true });
  const confirm = useFormCall(form, confirmHandoverByCode, { success, onSuccess });
  return (
    <>
      <Form form={form} onSubmit={({ code }) => confirm.mutate({ body: { id, code } })}>
        <p className="mb-4">{first}</p>
        <FormField
          form={form}
          name="code"
          label={label}
          inputMode="numeric"
          autoComplete="off"
          enterKeyHint="done"
        />
        <FormSubmit form={form} busy={confirm.isPending}>
          {submit}
        </FormSubmit>
      </Form>
      {/* For a return without a code, for example by mail. */}
      {isReturn && (
        <ConfirmCallButton
          title="Do you have the laptop back?"
          message="Confirm only once you have it in your hands: the buyer then gets all of their money back."
          confirm="Yes, I have it back"
          call={confirmHandover}
          request={{ body: { id } }}
          success={success}
          onSuccess={onSuccess}
        >
          I have it back, without a code
        </ConfirmCallButton>
      )}
    </>
  );
}
