import { useState } from "react";
import type { Handover } from "#contract/handover.ts";
import {
  acceptMeeting,
  cancelMeeting,
  formatMeetingTime,
  type Meeting,
  meetingForm,
  proposeMeeting,
  readCalendar,
} from "#contract/meetings.ts";
import { CallButton } from "#web/api/CallButton.tsx";
import { useFormCall } from "#web/api/form-call.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Form, FormField, FormMessage } from "#web/ui/Form.tsx";
import { downloadFile } from "#web/ui/object-url.ts";
import { useZodForm } from "#web/ui/use-zod-form.ts";

export function MeetingPlan({ deal }: { deal: Handover }) {
  const { meeting } = deal;
  const [changing, setChanging] = useState(false);
  return (
    <section
      aria-labelledby="meeting"
      className="flex max-w-xl flex-col gap-4 rounded-box border border-line bg-base-100 p-5 shadow-rest sm:p-8"
    >
      <h2 id="meeting" className="text-heading">
        Place and time
      </h2>
      <div role="status">{meeting && <Plan deal={deal} meeting={meeting} />}</div>
      {meeting && !changing ? (
        <Answer deal={deal} meeting={meeting} onChange={() => setChanging(true)} />
      ) : (
        <ProposeMeeting deal={deal} onDone={() => setChanging(false)} />
      )}
      <p className="text-muted text-sm">
        Meet in daylight where other people are: a café, a library, a bank, or a police station that
        welcomes such meetings. Choose a place with a power outlet, so that you can try the laptop.
        Tell someone where you are going.
      </p>
    </section>
  );
}

type PlanProps = { deal: Handover; meeting: Meeting };

function Plan({ deal: { role, other }, meeting }: PlanProps) {
  const { state, by, place } = meeting;
  return (
    <>
      <p className="text-muted text-sm">
        {state === "agreed" ? (
          "Agreed"
        ) : by === role ? (
          <>
            You proposed this. Waiting for <bdi>{other}</bdi> to answer.
          </>
        ) : (
          <>
            <bdi>{other}</bdi> proposes
          </>
        )}
      </p>
      <p className="font-medium">
        <MeetingTime meeting={meeting} />
      </p>
      <p>
        <bdi>{place}</bdi>
      </p>
    </>
  );
}

function Answer({ deal, meeting, onChange }: PlanProps & { onChange: () => void }) {
  const params = { id: deal._id };
  const mayAccept = meeting.state === "proposed" && meeting.by !== deal.role;
  return (
    <div className="flex flex-wrap gap-3">
      {mayAccept && (
        <CallButton
          look="primary"
          size="medium"
          call={acceptMeeting}
          request={{ params, body: { meeting: meeting._id } }}
          success="Agreed."
        >
          Accept
        </CallButton>
      )}
      {meeting.state === "agreed" && (
        <CallButton
          size="medium"
          call={readCalendar}
          request={{ params }}
          onSuccess={({ file }) => downloadFile("handover.ics", file, "text/calendar")}
        >
          Add to calendar
        </CallButton>
      )}
      <Button look="plain" onClick={onChange}>
        Propose another
      </Button>
      <CallButton
        look="quiet"
        size="medium"
        call={cancelMeeting}
        request={{ params: { ...params, meeting: meeting._id } }}
      >
        {cancelLabel(mayAccept, meeting)}
      </CallButton>
    </div>
  );
}

function cancelLabel(mayAccept: boolean, { state }: Meeting): string {
  if (state === "agreed") return "Call off";
  return mayAccept ? "Decline" : "Withdraw";
}

/** A meeting's time in the proposal's time zone, and in the reader's time zone if that differs. */
function MeetingTime({ meeting }: { meeting: Meeting }) {
  const { startsAt } = meeting;
  const there = formatMeetingTime(meeting);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const here = formatMeetingTime({ startsAt, timeZone });
  return (
    <time dateTime={startsAt}>
      {there}
      {here !== there && ` (${here} for you)`}
    </time>
  );
}

/** Takes the time in the browser's time zone, and sends the time zone with it. */
function ProposeMeeting({ deal, onDone }: { deal: Handover; onDone: () => void }) {
  const form = useZodForm(meetingForm, {
    place: deal.meeting?.place ?? deal.location,
    startsAt: "",
  });
  const propose = useFormCall(form, proposeMeeting, {
    success: "Proposed. We've emailed the other side.",
    onSuccess: onDone,
  });
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return (
    <Form
      form={form}
      onSubmit={({ place, startsAt }) =>
        propose.mutate({
          params: { id: deal._id },
          body: { place, startsAt: new Date(startsAt).toISOString(), timeZone },
        })
      }
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
        {deal.meeting && (
          <Button look="plain" onClick={onDone}>
            Cancel
          </Button>
        )}
      </div>
    </Form>
  );
}
