import type { ReactNode } from "react";
import { EmptyIllustration } from "./illustrations.tsx";

type NoticeProps = { title: string; drawing?: boolean; role?: "alert"; children?: ReactNode };

/** An empty state, an error, or a hint in place of content. */
export function Notice({ title, drawing, role, children }: NoticeProps) {
  return (
    <div
      role={role}
      className="flex flex-col items-center gap-4 rounded-box border border-line border-dashed px-6 py-12 text-center"
    >
      {drawing && <EmptyIllustration />}
      <h2 className="text-heading">{title}</h2>
      <div className="flex max-w-prose flex-col items-center gap-5 text-muted">{children}</div>
    </div>
  );
}
