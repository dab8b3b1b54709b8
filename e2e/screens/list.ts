import { listBookings } from "#contract/bookings.ts";
import { listCategories } from "#contract/categories.ts";
import { readProduct } from "#contract/laptop-page.ts";
import { sellerPath } from "#contract/page-paths.ts";
import { listSellerProducts } from "#contract/products.ts";
import { search } from "#contract/search.ts";
import { paths } from "#web/paths.ts";
import type { Member, Role } from "../accounts.ts";

/** `press` names a button to press before the screenshot. */
export type Screen = { title: string; role: Role; path: string; press?: string };

type DemoMembers = Record<Exclude<Role, "visitor">, Member>;
/** Window heights by width, in pixels. */
export const sizes = { 390: 844, 768: 1024, 1440: 900 } as const;

export type Picture = { width: keyof typeof sizes; theme: "light" | "dark" };

/** Lists every width and theme for important pages only, to keep the folder below 3 MB. */
export function picturesOf(name: string): Picture[] {
  const widths = [390, 768, 1440] as const;
  if (important.includes(name))
    return widths.flatMap((width) => [
      { width, theme: "light" as const },
      { width, theme: "dark" as const },
    ]);
  return [
    { width: 390, theme: "dark" },
    { width: 1440, theme: "light" },
  ];
}

const important = ["home-buyer", "category", "my-orders", "payment"];

export const screens: Record<string, Omit<Screen, "path"> & { path: string | FromDemo }> = {
  home: { title: "Home", role: "visitor", path: "/" },
  "home-buyer": { title: "Home, signed in", role: "buyer", path: "/" },
  blogs: { title: "Blogs", role: "visitor", path: "/blogs" },
  login: { title: "Login", role: "visitor", path: "/login" },
  "sign-up": { title: "Sign up", role: "visitor", path: "/signup" },
  "forgot-password": { title: "Forget Password?", role: "visitor", path: "/forgot-password" },
  "reset-password": { title: "A new password", role: "visitor", path: "/reset-password?token=any" },
  "not-found": { title: "Not found", role: "visitor", path: "/no/such/page" },
  search: { title: "Search", role: "visitor", path: "/search?q=16 GB ThinkPad under $900" },
  compare: { title: "Compare laptops", role: "buyer", path: comparison },
  category: { title: "Products by Category", role: "buyer", path: category },
  booking: { title: "Booking dialog", role: "buyer", path: category, press: "Book Now" },
  report: { title: "Report dialog", role: "buyer", path: category, press: "Report" },
  laptop: { title: "A laptop's page", role: "visitor", path: laptopWithPhotos },
  seller: { title: "A seller's page", role: "visitor", path: sellerOfDemo },
  fees: { title: "Fees", role: "visitor", path: "/fees" },
  safety: { title: "Safety", role: "visitor", path: "/safety" },
  "buyer-protection": { title: "Buyer protection", role: "visitor", path: "/buyer-protection" },
  "my-orders": { title: "My Orders", role: "buyer", path: "/dashboard" },
  payment: { title: "Payment", role: "buyer", path: paymentOf("held") },
  paid: { title: "Payment completed", role: "buyer", path: paymentOf("paid") },
  handover: {
    title: "Handover: code, place and time",
    role: "buyer",
    path: pageOf("paid", "/dashboard/handover"),
  },
  complaint: {
    title: "Something is wrong",
    role: "buyer",
    path: pageOf("completed", "/dashboard/complaint"),
  },
  "other-role": { title: "Another role's page", role: "buyer", path: "/dashboard/allSellers" },
  messages: { title: "Messages", role: "buyer", path: "/dashboard/messages" },
  offers: { title: "Offers", role: "buyer", path: "/dashboard/offers" },
  reviews: { title: "Reviews", role: "buyer", path: "/dashboard/reviews" },
  saved: { title: "Saved laptops", role: "buyer", path: "/dashboard/saved" },
  invitations: { title: "Invitations", role: "buyer", path: "/dashboard/invitations" },
  profile: { title: "Profile", role: "buyer", path: "/dashboard/profile" },
  "profile-seller": {
    title: "A seller's profile, with the other role",
    role: "seller",
    path: "/dashboard/profile",
  },
  "add-product": { title: "Add Product", role: "seller", path: "/dashboard/addProduct" },
  "edit-product": {
    title: "Edit Product, with several pictures",
    role: "seller",
    path: editWithPhotos,
  },
  "my-products": { title: "My Products", role: "seller", path: "/dashboard/myProducts" },
  "overview-seller": { title: "A seller's overview", role: "seller", path: "/dashboard/overview" },
  payouts: { title: "A seller's payouts", role: "seller", path: "/dashboard/payouts" },
  delete: { title: "Confirmation", role: "admin", path: "/dashboard/allSellers", press: "Delete" },
  complaints: { title: "Complaints", role: "admin", path: "/dashboard/complaints" },
  "all-sellers": { title: "All Sellers", role: "admin", path: "/dashboard/allSellers" },
  "all-buyers": { title: "All Buyers", role: "admin", path: "/dashboard/allBuyers" },
  "needs-you": { title: "Needs You", role: "admin", path: "/dashboard/needsYou" },
  payments: { title: "Payments", role: "admin", path: "/dashboard/payments" },
  ledger: { title: "Ledger", role: "admin", path: "/dashboard/ledger" },
  health: { title: "Health", role: "admin", path: "/dashboard/health" },
  "audit-log": { title: "Audit Log", role: "admin", path: "/dashboard/auditLog" },
  "reported-items": { title: "Reported Items", role: "admin", path: "/dashboard/reportedItems" },
  "listings-to-check": {
    title: "Listings to Check",
    role: "admin",
    path: "/dashboard/listingsToCheck",
  },
  "invitations-to-check": {
    title: "Invitations to Check",
    role: "admin",
    path: "/dashboard/invitations",
  },
  "overview-admin": { title: "The shop's overview", role: "admin", path: "/dashboard/overview" },
};

type FromDemo = (cast: DemoMembers) => Promise<string>;

async function category({ buyer }: DemoMembers): Promise<string> {
  const [first] = await buyer.call(listCategories, {});
  return `/categoryProducts/${first?._id}`;
}

const withPhotos = "Framework Laptop 13, Ryzen 7 7840U, 32 GB, 1 TB";

async function laptopWithPhotos(cast: DemoMembers): Promise<string> {
  return paths.laptop(await idOf(cast, withPhotos), withPhotos);
}

async function sellerOfDemo(cast: DemoMembers): Promise<string> {
  const id = await idOf(cast, withPhotos);
  const laptop = await cast.buyer.call(readProduct, { params: { id } });
  return sellerPath(laptop.seller._id);
}

async function editWithPhotos(cast: DemoMembers): Promise<string> {
  return paths.editProduct(await idOf(cast, withPhotos));
}

async function idOf({ seller }: DemoMembers, name: string): Promise<string> {
  const products = await seller.call(listSellerProducts, { params: { email: seller.email } });
  return String(products.find(({ product_name }) => product_name === name)?._id);
}

async function comparison({ buyer }: DemoMembers): Promise<string> {
  const { items } = await buyer.call(search, { query: { q: "thinkpad", limit: 3 } });
  return `/compare?ids=${items.map(({ _id }) => _id).join(",")}`;
}

function paymentOf(state: "held" | "paid"): FromDemo {
  return async (cast) => `/dashboard/payment/${await bookingIn(state, cast)}`;
}

type Shown = "held" | "paid" | "completed";

function pageOf(state: Shown, path: string): FromDemo {
  return async (cast) => `${path}/${await bookingIn(state, cast)}`;
}

async function bookingIn(state: Shown, { buyer }: DemoMembers): Promise<string> {
  const bookings = await buyer.call(listBookings, { params: { email: buyer.email } });
  return String(bookings.find((booking) => booking.state === state)?._id);
}
