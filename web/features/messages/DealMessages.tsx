import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type DealRecord, listDealMessages } from "#contract/deal-records.ts";
import { listOf } from "#web/api/api.ts";
import { Button } from "#web/ui/Button.tsx";
import { QueryState } from "#web/ui/QueryState.tsx";
import { MessageLog } from "./MessageLog.tsx";

/** Fetched only on request, because each access is logged. */
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
        {(all) => <MessageLog messages={all} names={{ mine: buyer.name, other: seller.name }} />}
      </QueryState>
    </div>
  );
}
