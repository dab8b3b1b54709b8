import type { Complaint } from "#contract/complaints.ts";
import { StaffOnly } from "#web/auth/StaffOnly.tsx";
import { AdminDecision } from "./AdminDecision.tsx";
import { BuyerChoice } from "./BuyerChoice.tsx";
import { SellerAnswer } from "./SellerAnswer.tsx";

/** Whether the complaint is undecided, or the refund is waiting for the laptop's return. */
export function isOpen({ decision }: Complaint): boolean {
  return decision === null || decision.returnBy !== null;
}

export function NextStep({ complaint }: { complaint: Complaint }) {
  const { role, answer, decision } = complaint;
  if (role === "admin")
    return (
      <StaffOnly access="support" to="decide this complaint">
        <AdminDecision complaint={complaint} />
      </StaffOnly>
    );
  if (decision) return null;
  if (role === "buyer") return <BuyerChoice complaint={complaint} />;
  return answer?.answer === "disagree" ? null : <SellerAnswer complaint={complaint} />;
}
