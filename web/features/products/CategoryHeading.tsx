import { useRef } from "react";
import { NavLink } from "react-router";
import type { Category } from "#contract/categories.ts";
import { paths } from "#web/paths.ts";
import { useScrollIntoView } from "#web/ui/use-scroll-into-view.ts";

type CategoryHeadingProps = {
  categories: Category[];
  /** Undefined until it is read. May be a hidden category, which `categories` doesn't contain. */
  category: Category | undefined;
  path: string;
};

/** The category's name, and links to all categories. */
export function CategoryHeading({ categories, category, path }: CategoryHeadingProps) {
  const row = useRef<HTMLUListElement>(null);
  useScrollIntoView(row, path);
  return (
    <header className="mb-4 flex flex-col gap-3 sm:mb-8 sm:gap-6">
      <div className="flex items-center gap-3 sm:gap-4">
        {category && <img src={category.brandImg} alt="" className="brand-chip" />}
        <div>
          <h1 className="list-title">Products by Category</h1>
          {category && <h2 className="text-muted">{category.product_category}</h2>}
        </div>
      </div>
      <nav aria-label="Categories">
        <ul ref={row} className="strip py-1.5 lg:mx-0 lg:flex-wrap lg:px-0">
          {categories.map(({ _id, product_category }) => (
            <li key={_id}>
              <NavLink to={paths.categoryProducts(_id)} className="strip-entry">
                {product_category}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}
