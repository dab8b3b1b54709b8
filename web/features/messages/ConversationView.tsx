import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import {
  blockMember,
  type Conversation,
  readConversation,
  reportConversation,
  sendMessage,
} from "#contract/messages.ts";
import { queryOf, useCall } from "#web/api/api.ts";
import { CallButton } from "#web/api/CallButton.tsx";
import { TextDialog } from "#web/api/form-call.tsx";
import { useLiveChanges } from "#web/api/live-changes.ts";
import { meetingText } from "#web/domain/deals/meeting-text.ts";
import { paths } from "#web/paths.ts";
import { DialogButton } from "#web/ui/DialogButton.tsx";
import { Icon } from "#web/ui/Icon.tsx";
import { TextLink } from "#web/ui/Link.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { ConversationHead, LaptopBar } from "./ConversationHead.tsx";
import { MessageForm } from "./MessageForm.tsx";
import { MessageLog } from "./MessageLog.tsx";

type ConversationViewProps = { id: string; offers: (conversation: Conversation) => ReactNode };

export function ConversationView({ id, offers }: ConversationViewProps) {
  const log = useRef<HTMLDivElement>(null);
  const refetchInterval = useLiveChanges();
  const query = queryOf(readConversation, { params: { id } });
  const conversation = useQuery({ ...query, refetchInterval });
  return (
    <section aria-label="Conversation" className="pane conversation">
      <QueryState query={conversation} skeleton={<div className="h-96" />}>
        {(known) => (
          <>
            <ConversationHead
              title={<bdi>{known.other.name}</bdi>}
              actions={<ConversationActions conversation={known} />}
            >
              <LaptopBar
                id={known.product._id}
                name={known.product.product_name}
                img={known.product.img}
                price={known.product.price}
              />
              <PlaceAndTime conversation={known} />
              {offers(known)}
            </ConversationHead>
            <MessageLog conversation={known} ref={log} />
            <Answer conversation={known} onSent={() => log.current?.scrollTo({ top: 0 })} />
          </>
        )}
      </QueryState>
    </section>
  );
}

function PlaceAndTime({ conversation: { deal, role } }: { conversation: Conversation }) {
  if (!deal) return null;
  const { meeting } = deal;
  return (
    <p className="text-sm">
      {meeting && (
        <>
          {meetingText(meeting, role)} Place: <bdi>{meeting.place}</bdi>{" "}
        </>
      )}
      <TextLink to={paths.handover(deal._id)}>
        {meeting ? "Place and time" : "Propose a place and time"}
      </TextLink>
    </p>
  );
}

type AnswerProps = { conversation: Conversation; onSent: () => void };

function Answer({ conversation, onSent }: AnswerProps) {
  const { _id: id, other, blocked, maySendPhotos } = conversation;
  const send = useCall(sendMessage, { onError: () => {}, onSuccess: onSent });
  if (blocked)
    return (
      <p className="composer text-muted">You have blocked this member. Unblock them to write.</p>
    );
  if (!other.active)
    return <p className="composer text-muted">This member no longer receives messages.</p>;
  return (
    <MessageForm
      name={id}
      maySendPhotos={maySendPhotos}
      error={send.error}
      busy={send.isPending}
      onSend={(body, done) => send.mutate({ params: { id }, body }, { onSuccess: done })}
    />
  );
}

function ConversationActions({ conversation }: { conversation: Conversation }) {
  const { _id: id, blocked } = conversation;
  return (
    <div className="flex gap-2">
      <CallButton
        look="quiet"
        call={blockMember}
        request={{ params: { id }, body: { blocked: !blocked } }}
      >
        {blocked ? "Unblock" : "Block"}
      </CallButton>
      <DialogButton
        look="quiet"
        dialog={(onClose) => (
          <TextDialog
            title="Report this conversation"
            label="Comment"
            hint="What is wrong? Our team will then read this conversation. The other member isn't told."
            call={reportConversation}
            field="comment"
            request={(comment) => ({ params: { id }, body: { comment } })}
            success="Reported. Our team will read this conversation."
            onClose={onClose}
          />
        )}
      >
        <Icon name="flag" className="size-4" />
        Report
      </DialogButton>
    </div>
  );
}
