import type { Buyer } from "./people.ts";

/** `like` names the listing whose details and photo the laptop uses. */
export interface PastSale {
  readonly product_name: string;
  readonly like: string;
  readonly resale_price: number;
  readonly buyer: Buyer;
  readonly listedDaysAgo: number;
  readonly soldDaysAgo: number;
}

/** Sales of the past 12 weeks, oldest first. They fill the charts of the overview pages. */
export const pastSales: readonly PastSale[] = [
  {
    product_name: "Dell Inspiron 16 Plus, i5, 8 GB, 512 GB",
    like: "Dell Inspiron 16 Plus, i7, 16 GB, 512 GB",
    resale_price: 420,
    buyer: "nora",
    listedDaysAgo: 84,
    soldDaysAgo: 79,
  },
  {
    product_name: "HP Pavilion 15, Ryzen 5, 16 GB, 256 GB",
    like: "HP Pavilion 15, Ryzen 5, 8 GB, 512 GB",
    resale_price: 290,
    buyer: "elliot",
    listedDaysAgo: 83,
    soldDaysAgo: 74,
  },
  {
    product_name: "LG gram 17, i5, 16 GB, 512 GB",
    like: "LG gram 17, i7, 16 GB, 1 TB",
    resale_price: 680,
    buyer: "aisha",
    listedDaysAgo: 80,
    soldDaysAgo: 68,
  },
  {
    product_name: "MacBook Air 13 M1, 8 GB, 256 GB, gold",
    like: "MacBook Air 13 M1, 8 GB, 256 GB",
    resale_price: 520,
    buyer: "gabe",
    listedDaysAgo: 71,
    soldDaysAgo: 66,
  },
  {
    product_name: "HP EliteBook 845 G10, Ryzen 5 PRO, 16 GB, 512 GB",
    like: "HP EliteBook 845 G10, Ryzen 7 PRO, 32 GB, 512 GB",
    resale_price: 610,
    buyer: "elliot",
    listedDaysAgo: 70,
    soldDaysAgo: 61,
  },
  {
    product_name: "ASUS Zenbook 14 OLED, Ryzen 7, 16 GB, 512 GB",
    like: "ASUS Zenbook 14 OLED, Ultra 7, 16 GB, 1 TB",
    resale_price: 590,
    buyer: "nora",
    listedDaysAgo: 62,
    soldDaysAgo: 54,
  },
  {
    product_name: "Dell Latitude 7420, i7, 16 GB, 512 GB",
    like: "Dell Latitude 7420, i5, 16 GB, 256 GB",
    resale_price: 455,
    buyer: "gabe",
    listedDaysAgo: 60,
    soldDaysAgo: 51,
  },
  {
    product_name: "Razer Blade 14 (2021), Ryzen 9, RTX 3060, 16 GB, 1 TB",
    like: "Razer Blade 14 (2021), Ryzen 9, RTX 3070, 16 GB, 1 TB",
    resale_price: 980,
    buyer: "aisha",
    listedDaysAgo: 56,
    soldDaysAgo: 45,
  },
  {
    product_name: "Surface Laptop 4 13.5, i5, 8 GB, 512 GB",
    like: "Surface Laptop 4 13.5, Ryzen 5, 8 GB, 256 GB",
    resale_price: 410,
    buyer: "mei",
    listedDaysAgo: 49,
    soldDaysAgo: 40,
  },
  {
    product_name: "MacBook Air 13 M1, 16 GB, 512 GB",
    like: "MacBook Air 13 M1, 8 GB, 256 GB",
    resale_price: 650,
    buyer: "elliot",
    listedDaysAgo: 41,
    soldDaysAgo: 37,
  },
  {
    product_name: "Lenovo ThinkPad T480, i7, 32 GB, 512 GB",
    like: "Lenovo ThinkPad T480, i5, 16 GB, 256 GB",
    resale_price: 340,
    buyer: "mei",
    listedDaysAgo: 38,
    soldDaysAgo: 31,
  },
  {
    product_name: "Samsung Galaxy Book2 Pro 360, i5, 8 GB, 256 GB",
    like: "Samsung Galaxy Book2 Pro 360, i7, 16 GB, 512 GB",
    resale_price: 530,
    buyer: "gabe",
    listedDaysAgo: 36,
    soldDaysAgo: 26,
  },
  {
    product_name: "Lenovo Yoga 9i 14, i5, 16 GB, 512 GB",
    like: "Lenovo Yoga 9i 14, i7, 16 GB, 512 GB OLED",
    resale_price: 720,
    buyer: "aisha",
    listedDaysAgo: 29,
    soldDaysAgo: 19,
  },
  {
    product_name: "Dell XPS 15 9510, i7, 16 GB, 512 GB",
    like: "Dell XPS 15 9520, i7, RTX 3050 Ti, 32 GB, 1 TB",
    resale_price: 860,
    buyer: "oskar",
    listedDaysAgo: 21,
    soldDaysAgo: 12,
  },
];
