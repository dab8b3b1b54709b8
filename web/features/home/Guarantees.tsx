import { BadgeCheck, Hand, Lock, Tag } from "lucide-react";

/** Each of these is enforced by the server (docs/contract.md). */
const guarantees = [
  { Icon: Hand, title: "Held for you", text: "Once you book, nobody else can. Holding is free." },
  {
    Icon: Tag,
    title: "The price won't change",
    text: "You pay the price you saw when you booked.",
  },
  { Icon: BadgeCheck, title: "Verified sellers", text: "A badge shows who our team has verified." },
  {
    Icon: Lock,
    title: "Secure payment",
    text: "Card details go to our payment provider, never to us.",
  },
];

export function Guarantees() {
  return (
    <ul className="guarantees" aria-label="What you can rely on">
      {guarantees.map(({ Icon, title, text }) => (
        <li key={title} className="flex items-start gap-3">
          <Icon className="mt-0.5 size-5 flex-none text-primary" aria-hidden="true" />
          <p>
            <strong className="block font-semibold">{title}</strong>
            <span className="block text-balance text-label text-muted">{text}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}
