import type { ReactNode } from "react";

export function PageHeading({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <div className="mb-8 flex flex-wrap items-baseline justify-between gap-4">
      <h1 className="text-title">{title}</h1>
      {children}
    </div>
  );
}
