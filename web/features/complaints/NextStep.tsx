import type { Complaint } from "#contract/complaints.ts";
import { AdminDecision } from "./AdminDecision.tsx";
import { BuyerChoice } from "./BuyerChoice.tsx";
import { SellerAnswer } from "./SellerAnswer.tsx";

/** Whether the complaint is undecided, or the refund waits for the return of the laptop. */
export function isOpen({ decision }: Complaint): boolean {
  return decision === null || decision.returnBy !== null;
}

/** The form for the reader's next step in an open complaint. */
export function NextStep({ complaint }: { complaint: Complaint }) {
  const { role, answer, decision } = complaint;
  if (role === "admin") return <AdminDecision complaint={complaint} />;
  if (decision) return null;
  if (role === "buyer") return <BuyerChoice complaint={complaint} />;
  return answer?.answer === "disagree" ? null : <SellerAnswer complaint={complaint} />;
}
