import { laptopPath } from "#contract/page-paths.ts";
import type { StaffRole } from "#contract/roles.ts";

/** The paths of pages (specification 2.3). `admin-paths.ts` has more, for admins. */
export const paths = {
  home: () => "/",
  blogs: () => "/blogs",
  compare: () => "/compare",
  search: (q?: string) => withQuery("/search", { q }),
  categoryProducts: (id: string) => `/categoryProducts/${id}`,
  /** The name only makes the path readable. */
  laptop: (id: string, name = "") => laptopPath(id, name),
  login: (from?: string) => withQuery("/login", { from }),
  secondStep: (from?: string) => withQuery("/login", { step: "code", from }),
  signUp: (from?: string) => withQuery("/signup", { from }),
  /** The page that a provider sign-in returns to. */
  authDone: (by: { provider?: string; from?: string } = {}) => withQuery("/auth/done", by),
  forgotPassword: (from?: string) => withQuery("/forgot-password", { from }),
  myOrders: () => "/dashboard",
  addProduct: () => "/dashboard/addProduct",
  editProduct: (id: string) => `/dashboard/editProduct/${id}`,
  saved: () => "/dashboard/saved",
  offers: () => "/dashboard/offers",
  reviews: () => "/dashboard/reviews",
  messages: () => "/dashboard/messages",
  invitations: () => "/dashboard/invitations",
  myProducts: () => "/dashboard/myProducts",
  payouts: () => "/dashboard/payouts",
  allSellers: () => "/dashboard/allSellers",
  allBuyers: () => "/dashboard/allBuyers",
  reportedItems: () => "/dashboard/reportedItems",
  listingsToCheck: () => "/dashboard/listingsToCheck",
  complaints: () => "/dashboard/complaints",
  complaint: (bookingId: string) => `/dashboard/complaint/${bookingId}`,
  needsYou: () => "/dashboard/needsYou",
  payments: () => "/dashboard/payments",
  auditLog: () => "/dashboard/auditLog",
  overview: () => "/dashboard/overview",
  health: () => "/dashboard/health",
  shop: () => "/dashboard/shop",
  profile: () => "/dashboard/profile",
  payment: (bookingId: string) => `/dashboard/payment/${bookingId}`,
  handover: (bookingId: string) => `/dashboard/handover/${bookingId}`,
};

type Roles = { isAdmin: boolean; isSeller: boolean; staffRole: StaffRole | null };

/** The target of the Dashboard link (specification 2.2). */
export function dashboardPath({ isAdmin, isSeller, staffRole }: Roles) {
  if (isAdmin) return staffRole === "owner" ? paths.allSellers() : paths.overview();
  return isSeller ? paths.addProduct() : paths.myOrders();
}

export function withQuery(path: string, query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter(([, value]) => value) as [string, string][];
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}
