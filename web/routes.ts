import { index, layout, prefix, type RouteConfig, route } from "@react-router/dev/routes";
import { dealPaths } from "./domain/information/deal-pages.ts";
import { informationPages } from "./domain/information/information-pages.ts";

/** The routes of specification 2, the information pages, and the component gallery. */
export default [
  layout("pages/public-layout.tsx", [
    index("pages/home.tsx"),
    route("blogs", "pages/blogs.tsx"),
    route("search", "pages/search.tsx"),
    route("compare", "pages/compare.tsx"),
    route("categoryProducts/:id", "pages/category.tsx", [index("pages/category-products.tsx")]),
    route("laptops/:laptop", "pages/laptop.tsx"),
    route("sellers/:id", "pages/seller.tsx"),
    route("login", "pages/login.tsx"),
    route("signup", "pages/sign-up.tsx"),
    route("auth/done", "pages/auth-done.tsx"),
    route("forgot-password", "pages/forgot-password.tsx"),
    route("reset-password", "pages/reset-password.tsx"),
    route("confirm-email", "pages/confirm-email.tsx"),
    route("unsubscribe", "pages/unsubscribe.tsx"),
    route("account-deleted", "pages/account-deleted.tsx"),
    ...Object.keys(informationPages).map((path) =>
      route(path.slice(1), "pages/information.tsx", { id: `information${path}` }),
    ),
    ...dealPaths.map((path) =>
      route(path.slice(1), "pages/deal-information.tsx", { id: `information${path}` }),
    ),
    route("ui", "pages/ui.tsx"),
    route("*", "pages/not-found.tsx"),
  ]),
  layout("pages/dashboard-layout.tsx", [
    ...prefix("dashboard", [
      index("pages/my-orders.tsx"),
      route("addProduct", "pages/add-product.tsx"),
      route("editProduct/:id", "pages/edit-product.tsx"),
      route("myProducts", "pages/my-products.tsx"),
      route("allSellers", "pages/all-sellers.tsx"),
      route("allBuyers", "pages/all-buyers.tsx"),
      route("reportedItems", "pages/reported-items.tsx"),
      route("listingsToCheck", "pages/listings-to-check.tsx"),
      route("needsYou", "pages/needs-you.tsx"),
      route("payments", "pages/payments.tsx"),
      route("payouts", "pages/payouts.tsx"),
      route("complaints", "pages/complaints.tsx"),
      route("complaint/:id", "pages/complaint.tsx"),
      route("deal/:id", "pages/deal-record.tsx"),
      route("ledger", "pages/ledger.tsx"),
      route("health", "pages/health.tsx"),
      route("shop/:part?", "pages/shop-settings.tsx"),
      route("staff", "pages/staff.tsx"),
      route("auditLog", "pages/audit-log.tsx"),
      route("saved", "pages/saved.tsx"),
      route("messages", "pages/messages.tsx"),
      route("offers", "pages/offers.tsx"),
      route("reviews", "pages/reviews.tsx"),
      route("overview", "pages/overview.tsx"),
      route("invitations", "pages/invitations.tsx"),
      route("profile", "pages/profile.tsx"),
      route("payment/:id", "pages/payment.tsx"),
      route("handover/:id", "pages/handover.tsx"),
    ]),
  ]),
] satisfies RouteConfig;
