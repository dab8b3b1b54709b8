import * as calls from "#contract/messages.ts";
import { transact } from "../../db/database.ts";
import { setEmails } from "../../email/opt-outs.ts";
import { answer, listed, ok, type Router } from "../../http/route-registration.ts";
import { blockMember } from "./block-member.ts";
import * as reports from "./conversation-reports.ts";
import * as conversations from "./conversations.ts";
import { EventStreams, readMessageEvents } from "./event-streams.ts";
import * as inbox from "./message-inbox.ts";
import { askSeller, messageBuyer, sendMessage } from "./send-message.ts";

export function messageRoutes(router: Router): void {
  const { route, deps } = router;
  route(calls.listConversations, async ({ query, caller }) =>
    listed(await conversations.listConversations(deps.db, caller, query)),
  );

  route(calls.readConversation, async ({ params, caller }) =>
    ok(await conversations.readConversation(deps.db, caller, params.id)),
  );

  route(calls.listMessages, async ({ params, query, caller }) =>
    listed(await conversations.listMessages(deps.db, caller, { ...params, ...query })),
  );

  route(calls.askSeller, async ({ body, caller }) =>
    answer.inserted(askSeller(deps, caller, body)),
  );

  route(calls.messageBuyer, async ({ params, body, caller }) =>
    answer.inserted(messageBuyer(deps, caller, { bookingId: params.id, ...body })),
  );

  route(calls.sendMessage, async ({ params, body, caller }) =>
    answer.inserted(sendMessage(deps, caller, { conversationId: params.id, ...body })),
  );

  route(calls.markConversationRead, async ({ params, body, caller }) =>
    answer.modified(inbox.markConversationRead(deps, caller, { ...params, ...body })),
  );

  route(calls.blockMember, async ({ params, body, caller }) =>
    answer.modified(blockMember(deps, caller, { conversationId: params.id, ...body })),
  );

  route(calls.reportConversation, async ({ params, body, caller }) =>
    answer.inserted(reports.reportConversation(deps, caller, { ...params, ...body })),
  );

  route(calls.readMessageInbox, async ({ caller }) =>
    ok(await inbox.readMessageInbox(deps.db, caller)),
  );

  route(calls.setMessageEmails, async ({ body, caller }) => {
    const messages = { topic: "messages", memberId: caller.id } as const;
    const change = transact(deps.db, "setMessageEmails", (tx) =>
      setEmails(tx, messages, body.emails),
    );
    return answer.modified(change);
  });

  eventRoutes(router, new EventStreams(deps, router.findActiveMember));
  reportRoutes(router);
}

function eventRoutes({ route, deps, onClose }: Router, streams: EventStreams): void {
  onClose(() => streams.close());
  route(
    calls.readMessageEvents,
    async ({ query, caller }) => ok(await readMessageEvents(deps.db, caller.id, query.after)),
    {
      stream({ query, caller, request }, startStream) {
        const last = calls.readMessageEvents.query.safeParse({
          after: request.headers["last-event-id"],
        });
        const after = last.data?.after ?? query.after;
        streams.open({ memberId: caller.id, sessionId: request.sessionId, after }, startStream);
      },
    },
  );
}

function reportRoutes({ route, deps }: Router): void {
  route(calls.listConversationReports, async ({ query, tx }) =>
    listed(await reports.listConversationReports(tx, query)),
  );

  route(calls.readReportedMessages, async ({ params, query, caller }) =>
    listed(await reports.readReportedMessages(deps, caller, { ...params, ...query })),
  );

  route(calls.closeConversationReport, async ({ params, caller }) =>
    answer.deleted(reports.closeConversationReport(deps, caller, params.id)),
  );
}
