import { Link } from "react-router";
import { informationTitles } from "#contract/information.ts";
import { Logo } from "#web/ui/Logo.tsx";
import { FacebookIcon, XIcon, YouTubeIcon } from "./SocialIcons.tsx";

/** The public layout's footer (specification 2). */
export function Footer() {
  return (
    <footer className="mt-24 border-line border-t bg-base-100">
      <div className="frame grid grid-cols-2 gap-10 py-12 sm:grid-cols-3 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="flex flex-col gap-4 col-span-full lg:col-span-1">
          <Logo />
          <p className="max-w-xs text-muted">
            Good laptops deserve a second lap. Bought from people, passed on with care.
          </p>
          <ul className="flex gap-4 text-muted" aria-label="Secondlap on social media">
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
