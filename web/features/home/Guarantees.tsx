import { BadgeCheck, Hand, Lock, Tag } from "lucide-react";

/** What Secondlap stands for; each is kept by the program, not by a policy (docs/contract.md). */
const guarantees = [
  { Icon: Hand, title: "Held for you", text: "Once you book, nobody else can. Holding is free." },
  { Icon: Tag, title: "The price stays", text: "What you saw when you booked is what you pay." },
  { Icon: BadgeCheck, title: "Sellers checked", text: "A badge marks whom our team has verified." },
  {
    Icon: Lock,
    title: "Your card stays yours",
    text: "It goes to the payment provider, never to us.",
  },
];

/** The reasons to trust the place, in one line below the carousel. */
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
