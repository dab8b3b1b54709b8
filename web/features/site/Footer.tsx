import type { ReactNode } from "react";
import { Link } from "react-router";
import { informationTitles } from "#contract/page-paths.ts";
import { operatorLines } from "#contract/shop.ts";
import { Logo } from "#web/ui/Logo.tsx";
import { useShop } from "#web/ui/use-shop.ts";
import { FacebookIcon, XIcon, YouTubeIcon } from "./SocialIcons.tsx";

/** The public layout's footer (specification 2). */
export function Footer() {
  const { name, tagline, operator, social } = useShop();
  return (
    <footer className="mt-24 border-line border-t bg-base-100">
      <div className="frame grid grid-cols-2 gap-10 py-12 sm:grid-cols-3 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="flex flex-col items-start gap-4 col-span-full lg:col-span-1">
          <Logo />
          <p className="max-w-xs text-muted">{tagline}</p>
          <ul className="flex gap-4 text-muted" aria-label={`${name} on social media`}>
            <li>{socialLink(social?.x, <XIcon />)}</li>
            <li>{socialLink(social?.youtube, <YouTubeIcon />)}</li>
            <li>{socialLink(social?.facebook, <FacebookIcon />)}</li>
          </ul>
          {operator && (
            <p className="text-muted text-sm">
              {operatorLines(operator).map((line) => (
                <span key={line} className="block">
                  {line}
                </span>
              ))}
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

/** An icon without a link until the owner has entered the profile's URL. */
function socialLink(to: string | undefined, icon: ReactNode): ReactNode {
  return to ? <a href={to}>{icon}</a> : icon;
}
