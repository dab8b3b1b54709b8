import { Link } from "react-router";
import { Icon } from "#web/ui/Icon.tsx";

type BreadcrumbsProps = {
  /** Parent pages, outermost first. */
  above: { name: string; to: string }[];
  here: string;
};

/** For a page that no menu entry leads to. */
export function Breadcrumbs({ above, here }: BreadcrumbsProps) {
  return (
    <nav aria-label="Breadcrumb" className="mb-4">
      <ol className="flex flex-wrap items-center gap-x-1.5 text-muted text-sm">
        {above.map(({ name, to }) => (
          <li key={to} className="flex items-center gap-x-1.5">
            <Link to={to} className="link-hover py-1">
              {name}
            </Link>
            <Icon name="chevron-right" className="size-3.5" />
          </li>
        ))}
        <li aria-current="page" className="font-medium text-base-content">
          {here}
        </li>
      </ol>
    </nav>
  );
}
