import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type DealRecord, listDealMessages } from "#contract/deal-records.ts";
import {
  type ConversationReport,
  closeConversationReport,
  listConversationReports,
  readReportedMessages,
} from "#contract/messages.ts";
import { listOf } from "#web/api/api.ts";
import { CallButton } from "#web/api/CallButton.tsx";
import { LaptopLink } from "#web/domain/products/ProductName.tsx";
import { Button } from "#web/ui/Button.tsx";
import { formatDate } from "#web/ui/format-dates-and-counts.ts";
import { QueryState } from "#web/ui/QueryState.tsx";
import { MessageList } from "./MessageList.tsx";

/** Fetches a deal's messages only on request, because each access is logged. */
export function DealMessages({ deal }: { deal: DealRecord }) {
  const [isOpen, setOpen] = useState(false);
  if (!deal.isOpen)
    return (
      <p className="text-muted">
        Messages can be read only while a complaint or dispute about the deal is open.
      </p>
    );
  return (
    <>
      <Button look="plain" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Hide messages" : "Read messages"}
      </Button>
      {isOpen && <Messages deal={deal} />}
    </>
  );
}

function Messages({ deal: { _id: id, buyer, seller } }: { deal: DealRecord }) {
  const messages = useInfiniteQuery(listOf(listDealMessages, { params: { id } }));
  return (
    <div className="mt-4">
      <p className="mb-3 text-muted text-sm">
        On the right: what <bdi>{buyer.name}</bdi>, the buyer, wrote. The audit log says that you
        read this. Phone numbers, email addresses and links stay hidden from admins.
      </p>
      <QueryState
        query={messages}
        skeleton={<div className="h-40" />}
        empty={<p className="text-muted">They haven't written to each other.</p>}
      >
        {(all) => <MessageList messages={all} names={{ mine: buyer.name, other: seller.name }} />}
      </QueryState>
    </div>
  );
}

export function ReportedConversations() {
  const reports = useInfiniteQuery(listOf(listConversationReports, {}));
  return (
    <section aria-labelledby="reported-title" className="mb-10">
      <h2 id="reported-title" className="mb-3 text-heading">
        Reported Messages
      </h2>
      <QueryState
        query={reports}
        skeleton={<div className="h-20" />}
        empty={<p className="text-muted">None.</p>}
      >
        {(all) => (
          <ul className="divide-y divide-line rounded-box border border-line">
            {all.map((report) => (
              <Report key={report._id} report={report} />
            ))}
          </ul>
        )}
      </QueryState>
    </section>
  );
}

function Report({ report }: { report: ConversationReport }) {
  const { _id: id, product, reporter, other, comment, reportedAt } = report;
  const [isOpen, setOpen] = useState(false);
  return (
    <li className="p-4">
      <p className="font-medium">
        <LaptopLink {...product} />
      </p>
      <p dir="auto" className="user-text my-2">
        {comment}
      </p>
      <p className="text-muted text-sm">
        <bdi>{reporter.name}</bdi>, {reporter.role}, reported <bdi>{other.name}</bdi> on{" "}
        {formatDate(reportedAt)}
      </p>
      <div className="mt-3 flex gap-2">
        <Button look="plain" size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? "Hide messages" : "Read messages"}
        </Button>
        <CallButton call={closeConversationReport} request={{ params: { id } }}>
          Close report
        </CallButton>
      </div>
      {isOpen && <ReportedMessages report={report} />}
    </li>
  );
}

function ReportedMessages({ report }: { report: ConversationReport }) {
  const { _id: id, other, reporter } = report;
  const messages = useInfiniteQuery(listOf(readReportedMessages, { params: { id } }));
  return (
    <div className="mt-4">
      <p className="mb-3 text-muted text-sm">
        On the right: what <bdi>{reporter.name}</bdi> wrote. The audit log says that you read this.
        Admins never see phone numbers, email addresses or links in messages: they read “[hidden
        until paid]”, also after the payment.
      </p>
      <QueryState query={messages} skeleton={<div className="h-40" />}>
        {(all) => <MessageList messages={all} names={{ mine: reporter.name, other: other.name }} />}
      </QueryState>
    </div>
  );
}
