/** The footer's columns (specification 2): titles of information pages by path. */
export const informationTitles: Record<string, Record<string, string>> = {
  Services: {
    "/buying": "Buying",
    "/selling": "Selling",
    "/fees": "Fees",
    "/safety": "Safety",
    "/buyer-protection": "Buyer protection",
    "/verification": "Verification",
    "/advertising": "Advertising",
  },
  Company: {
    "/about": "About us",
    "/contact": "Contact",
    "/jobs": "Jobs",
    "/press-kit": "Press kit",
  },
  Legal: {
    "/terms": "Terms of use",
    "/privacy": "Privacy policy",
    "/cookies": "Cookie policy",
  },
};
