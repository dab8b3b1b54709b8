import { Icon } from "#web/ui/Icon.tsx";
import type { IconName } from "#web/ui/icon-names.ts";

const guarantees: { icon: IconName; title: string; text: string }[] = [
  {
    icon: "lock",
    title: "We keep your money safe",
    text: "You pay by card. We pay the seller after the handover.",
  },
  { icon: "hand", title: "Held for you", text: "Once you book, nobody else can. Holding is free." },
  {
    icon: "tag",
    title: "The price won't change",
    text: "You pay the price you saw when you booked.",
  },
  {
    icon: "badge-check",
    title: "Verified sellers",
    text: "A badge shows who our team has verified.",
  },
];

export function Guarantees() {
  return (
    <ul className="guarantees" aria-label="What you can rely on">
      {guarantees.map(({ icon, title, text }) => (
        <li key={title} className="flex items-start gap-3">
          <Icon name={icon} className="mt-0.5 size-5 flex-none text-primary" />
          <p>
            <strong className="block font-semibold">{title}</strong>
            <span className="block text-balance text-label text-muted">{text}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
