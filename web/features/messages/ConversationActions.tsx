import { useState } from "react";
import { blockMember, type Conversation, reportConversation } from "#contract/messages.ts";
import { useCall } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { TextDialog } from "#web/ui/TextDialog.tsx";
import { toast } from "#web/ui/toast.ts";
import { showFormError, useFormWithDraft } from "#web/ui/use-zod-form.ts";

export function ConversationActions({ conversation }: { conversation: Conversation }) {
  const { _id: id, blocked } = conversation;
  const block = useCall(blockMember);
  const [isReporting, setReporting] = useState(false);
  return (
    <div className="flex gap-2">
      <Button
        look="quiet"
        size="small"
        busy={block.isPending}
        onClick={() => block.mutate({ params: { id }, body: { blocked: !blocked } })}
      >
        {blocked ? "Unblock" : "Block"}
      </Button>
      <Button look="quiet" size="small" onClick={() => setReporting(true)}>
        <Icon name="flag" className="size-4" />
        Report
      </Button>
      {isReporting && <ReportForm id={id} onClose={() => setReporting(false)} />}
    </div>
  );
}

function ReportForm({ id, onClose }: { id: string; onClose: () => void }) {
  const form = useFormWithDraft({ defaultValues: { comment: "" } });
  const report = useCall(reportConversation, {
    onError: (error) => showFormError(form, error),
    onSuccess: () => {
      toast.success("Reported. Our team will read this conversation.");
      onClose();
    },
  });
  const submit = form.handleSubmit((body) => report.mutate({ params: { id }, body }));
  return (
    <TextDialog
      title="Report this conversation"
      form={form}
      name="comment"
      label="Comment"
      hint="What is wrong? Our team will then read this conversation. The other member isn't told."
      busy={report.isPending}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
