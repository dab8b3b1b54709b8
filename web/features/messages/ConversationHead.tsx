import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "#web/paths.ts";
import { Icon } from "#web/ui/Icon.tsx";

type ConversationHeadProps = {
  titleId?: string;
  title: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
};

/** The top of a conversation. Small screens have a link back to the list. */
export function ConversationHead({ titleId, title, actions, children }: ConversationHeadProps) {
  return (
    <header className="flex flex-col gap-2 border-line border-b px-4 py-2">
      <div className="flex min-h-11 items-center gap-2">
        <Link to={paths.messages()} aria-label="All messages" className="back-to-list">
          <Icon name="chevron-left" />
        </Link>
        <h2 id={titleId} className="line-clamp-2 min-w-0 flex-1 text-lg leading-snug">
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </header>
  );
}
