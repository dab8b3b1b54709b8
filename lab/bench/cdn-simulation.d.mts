type Shop = {
  laptops: number;
  views: number;
  bookings: number;
  exponent: number;
  seconds: number;
  measured: number;
  laptopSeconds?: number;
};

export const shops: (Shop & { locations: number })[];
export function rowOf(shop: Shop & { locations: number }): object;

type Kind = "home" | "category" | "laptop" | "seller" | "search";

export function simulate(shop: Shop): {
  counted: Record<Kind, { views: number; hits: number }>;
  purgedAll: number;
};
