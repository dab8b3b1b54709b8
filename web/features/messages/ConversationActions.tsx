import { blockMember, type Conversation, reportConversation } from "#contract/messages.ts";
import { useCall } from "#web/api/api.ts";
import { TextDialogButton } from "#web/domain/forms/TextDialogButton.tsx";
import { Button } from "#web/ui/Button.tsx";
import { Icon } from "#web/ui/Icon.tsx";

export function ConversationActions({ conversation }: { conversation: Conversation }) {
  const { _id: id, blocked } = conversation;
  const block = useCall(blockMember);
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
      <TextDialogButton
        look="quiet"
        call={reportConversation}
        request={(comment) => ({ params: { id }, body: { comment } })}
        title="Report this conversation"
        name="comment"
        label="Comment"
        hint="What is wrong? Our team will then read this conversation. The other member isn't told."
        success="Reported. Our team will read this conversation."
      >
        <Icon name="flag" className="size-4" />
        Report
      </TextDialogButton>
    </div>
  );
}
