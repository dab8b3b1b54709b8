import type { ReactNode } from "react";
import { Link } from "react-router";
import { informationTitles } from "#contract/page-paths.ts";
import { operatorLines } from "#contract/shop.ts";
import { Logo } from "#web/ui/Logo.tsx";
import { useShop } from "#web/ui/use-shop.ts";

export function Footer() {
  const { name, tagline, operator, social } = useShop();
  return (
    <footer className="mt-24 border-line border-t bg-base-100">
      <div className="frame grid grid-cols-2 gap-10 py-12 sm:grid-cols-3 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="flex flex-col items-start gap-4 col-span-full lg:col-span-1">
          <Logo />
          <p className="max-w-xs text-muted">{tagline}</p>
          <ul className="flex gap-4 text-muted" aria-label={`${name} on social media`}>
            <SocialLink name="X" to={social?.x}>
              <path d="M4 4l16 16M20 4L4 20" fill="none" stroke="currentColor" strokeWidth="2.4" />
            </SocialLink>
            <SocialLink name="YouTube" to={social?.youtube}>
              <path
                fillRule="evenodd"
                d="M6 5h12a4 4 0 0 1 4 4v6a4 4 0 0 1-4 4H6a4 4 0 0 1-4-4V9a4 4 0 0 1 4-4zm4 4v6l5.2-3z"
              />
            </SocialLink>
            <SocialLink name="Facebook" to={social?.facebook}>
              <path
                fillRule="evenodd"
                d="M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zm-1.3 19.9h3V14h2.4l.5-3h-2.9V9.3c0-.9.4-1.4 1.5-1.4h1.5V5.3c-.6-.1-1.3-.2-2-.2-2.4 0-4 1.4-4 3.9v2H8.2v3h2.5z"
              />
            </SocialLink>
          </ul>
          {operator && (
            <p className="whitespace-pre-line text-muted text-sm">
              {operatorLines(operator).join("\n")}
            </p>
          )}
        </div>
        {Object.entries(informationTitles).map(([title, pages]) => (
          <section key={title} className="flex flex-col gap-3">
            <h2 className="font-sans font-semibold text-sm">{title}</h2>
            <ul className="flex flex-col gap-2 text-muted text-sm">
              {Object.entries(pages).map(([path, name]) => (
                <li key={path}>
                  <Link to={path} className="link-hover inline-block py-0.5">
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </footer>
  );
}

type SocialLinkProps = { name: string; to: string | undefined; children: ReactNode };

function SocialLink({ name, to, children }: SocialLinkProps) {
  const icon = (
    <svg viewBox="0 0 24 24" className="size-5 fill-current" role="img" aria-label={name}>
      {children}
    </svg>
  );
  return <li>{to ? <a href={to}>{icon}</a> : icon}</li>;
}
