import type { Handover } from "#contract/handover.ts";
import { meetingForm, proposeMeeting } from "#contract/meetings.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { FormField } from "#web/ui/FormField.tsx";
import { FormMessage } from "#web/ui/FormMessage.tsx";
import { showFormError } from "#web/ui/form-errors.ts";
import { toast } from "#web/ui/toast.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";

type ProposeMeetingProps = { deal: Handover; onDone: () => void; onCancel?: () => void };

/** The time is in the browser's time zone, which is also sent. */
export function ProposeMeeting({ deal, onDone, onCancel }: ProposeMeetingProps) {
  const form = useZodForm(meetingForm, {
    place: deal.meeting?.place ?? deal.location,
    startsAt: "",
  });
  const propose = useCall(proposeMeeting, {
    onSuccess: () => {
      toast.success("Proposed. We've emailed the other side.");
      onDone();
    },
    onError: (error) => showFormError(form, error),
  });
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <form
      onSubmit={form.handleSubmit(({ place, startsAt }) =>
        propose.mutate({
          params: { id: deal._id },
          body: { place, startsAt: new Date(startsAt).toISOString(), timeZone },
        }),
      )}
      method="post"
      noValidate
      className="flex flex-col gap-2"
    >
      <FormField form={form} name="place" label="Place" autoComplete="off" />
      <FormField
        form={form}
        name="startsAt"
        label="Date and time"
        type="datetime-local"
        hint={`In your time zone, ${timeZone}.`}
      />
      <FormMessage message={form.formState.errors.root?.message} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={propose.isPending}>
          Propose
        </Button>
        {onCancel && (
          <Button look="plain" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
