/** In display order, as `server/db/schema/05-listings.sql` inserts them. */
export const categories = [
  { product_category: "Apple", brandImg: "/brands/apple.svg" },
  { product_category: "Lenovo", brandImg: "/brands/lenovo.svg" },
  { product_category: "Dell", brandImg: "/brands/dell.svg" },
  { product_category: "HP", brandImg: "/brands/hp.svg" },
  { product_category: "ASUS", brandImg: "/brands/asus.svg" },
  { product_category: "Acer", brandImg: "/brands/acer.svg" },
  { product_category: "Microsoft Surface", brandImg: "/brands/surface.svg" },
  { product_category: "Framework", brandImg: "/brands/framework.svg" },
  { product_category: "Razer", brandImg: "/brands/razer.svg" },
  { product_category: "MSI", brandImg: "/brands/msi.svg" },
  { product_category: "Samsung", brandImg: "/brands/samsung.svg" },
  { product_category: "LG", brandImg: "/brands/lg.svg" },
] as const;

export type CategoryName = (typeof categories)[number]["product_category"];
