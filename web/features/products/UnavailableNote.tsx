import type { ReactNode } from "react";
import type { SalesStatus } from "#contract/life-cycle.ts";

export type UnavailableStatus = Exclude<SalesStatus, "available">;

export function UnavailableNote({ title, children }: { title: string; children: ReactNode }) {
  return (
    <p className="rounded-field bg-secondary px-4 py-3 text-secondary-content">
      <strong>{title}.</strong> {children}
    </p>
  );
}
