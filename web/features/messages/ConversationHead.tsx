import type { ReactNode } from "react";
import { Link } from "react-router";
import { formatPrice } from "#contract/price.ts";
import { paths } from "#web/paths.ts";
import { Icon } from "#web/ui/Icon.tsx";
import { Photo } from "#web/ui/Photo.tsx";

type ConversationHeadProps = {
  title: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
};

export function ConversationHead({ title, actions, children }: ConversationHeadProps) {
  return (
    <header className="flex flex-col gap-2 border-line border-b px-4 py-2">
      <div className="flex min-h-11 items-center gap-2">
        <Link to={paths.messages()} aria-label="All messages" className="back-to-list">
          <Icon name="chevron-left" />
        </Link>
        <h2 className="line-clamp-2 min-w-0 flex-1 text-lg leading-snug">{title}</h2>
        {actions}
      </div>
      {children}
    </header>
  );
}

type LaptopBarProps = { id: string; name: string; img: string | null; price: number | undefined };

export function LaptopBar({ id, name, img, price }: LaptopBarProps) {
  return (
    <Link to={paths.laptop(id, name)} className="flex items-center gap-3 text-sm">
      <SmallPhoto img={img} />
      <span className="line-clamp-2 min-w-0 flex-1">
        <bdi>{name}</bdi>
        {price !== undefined && <span className="comma">, </span>}
      </span>
      {price !== undefined && (
        <strong className="font-semibold tabular-nums">{formatPrice(price)}</strong>
      )}
    </Link>
  );
}

/** Renders nothing for a removed laptop, whose `img` is null. */
export function SmallPhoto({ img }: { img: string | null }) {
  if (img === null) return null;
  return (
    <span className="small-photo">
      <Photo img={img} alt="" sizes="3.5rem" />
    </span>
  );
}
