import { Logo } from "#web/ui/Logo.tsx";
import { FacebookIcon, XIcon, YouTubeIcon } from "./SocialIcons.tsx";

/** Link columns whose pages are still to come (specification 2: placeholder link columns). */
const columns = [
  { title: "Services", entries: ["Buying", "Selling", "Verification", "Advertising"] },
  { title: "Company", entries: ["About us", "Contact", "Jobs", "Press kit"] },
  { title: "Legal", entries: ["Terms of use", "Privacy policy", "Cookie policy"] },
];

export function Footer() {
  return (
    <footer className="mt-24 border-line border-t bg-base-100">
      <div className="frame grid grid-cols-2 gap-10 py-12 sm:grid-cols-3 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="flex flex-col gap-4 col-span-full lg:col-span-1">
          <Logo />
          <p className="max-w-xs text-muted">
            Good laptops deserve a second lap. Bought from people, passed on with care.
          </p>
          <ul className="flex gap-4 text-muted" aria-label="Secondlap elsewhere">
            <li>
              <XIcon />
            </li>
            <li>
              <YouTubeIcon />
            </li>
            <li>
              <FacebookIcon />
            </li>
          </ul>
        </div>
        {columns.map(({ title, entries }) => (
          <section key={title} className="flex flex-col gap-3">
            <h2 className="font-sans font-semibold text-sm">{title}</h2>
            <ul className="flex flex-col gap-2 text-muted text-sm">
              {entries.map((entry) => (
                <li key={entry}>{entry}</li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </footer>
  );
}
