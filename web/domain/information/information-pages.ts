/** A text page linked from the footer. Its title is in `contract/page-paths.ts`. */
export type Information = {
  /** The description for search engines and link previews. */
  description: string;
  /** Built-in texts by heading; empty if only the shop's owner can write the page. */
  sections: Record<string, string>;
};

/** Pages by path, except those in `deal-pages.ts`. */
export const informationPages: Record<string, Information> = {
  "/verification": {
    description: "What the verified badge beside a seller's name means.",
    sections: {
      "What the badge means":
        "A badge beside a seller's name means that one of our admins has verified that seller. It appears on all of the seller's laptops.",
      "What was checked":
        "The page of a laptop and the page of its seller say what stands behind the badge: that our team checked the seller, that they confirmed their email address, and that Stripe, our card provider, has checked who they are, as it does before it pays money out to them.",
      "What it does not mean":
        "The badge is about the seller, not about a single laptop. We do not inspect laptops. Look each one over before you show your handover code.",
      "How sellers get it":
        "Our admins decide who to verify, and can remove a badge at any time. There is no fee and nothing to apply for.",
    },
  },
  "/advertising": {
    description: "How sellers show a laptop on the Home page.",
    sections: {
      "Show a laptop on the Home page":
        "Sellers can switch Advertise on for each available laptop in My Products. It then appears under Advertised Items on the Home page. This is free.",
      "When it ends":
        "A laptop leaves Advertised Items when you switch Advertise off, when someone books it, and when it is sold.",
      "No other advertisements": "We don't show ads from other companies.",
    },
  },
  "/about": {
    description: "What this marketplace is and how it works.",
    sections: {
      "A marketplace for used laptops":
        "{shop} brings together people who have a laptop to sell and people who are looking for one. A laptop that still works well deserves a second owner.",
      "How it works":
        "Sellers list laptops. Buyers hold one free of charge, meet the seller and pay by card when they are sure. {shop} is the meeting place; the laptop is sold by its seller.",
    },
  },
  "/contact": {
    description: "Who to ask about an order, a listing or your account.",
    sections: {
      "About an order":
        "Ask the buyer or seller first. My Orders shows buyers how to reach the seller, and My Products shows sellers how to reach the buyer.",
      "About a listing":
        "Press Report on the laptop's card and write what is wrong. Our admins read every report, and the seller does not see who wrote it.",
      "About your account":
        "Change your name and photo, download your data or delete your account on your Profile page. If you can't log in, use Forget Password? on the Login page.",
    },
  },
  "/jobs": {
    description: "Jobs at this marketplace for used laptops.",
    sections: {},
  },
  "/press-kit": {
    description: "Press material about this marketplace.",
    sections: {},
  },
  "/terms": {
    description: "The rules for buyers and sellers.",
    sections: {
      "Your account":
        "Use your own email address, and keep your password to yourself. One account can buy and sell. Admins can delete accounts that break these rules.",
      "If you sell":
        "List only laptops that are yours to sell, and describe them truthfully, faults included. While a laptop is held for a buyer, do not sell it to someone else.",
      "If you buy":
        "A booking holds a laptop for a limited time and does not oblige you to pay. When you pay, you buy the laptop from its seller, not from {shop}.",
      Refunds:
        "Until the handover, an admin can give you your money back, to the card you paid with. Buyer protection says more.",
    },
  },
  "/privacy": {
    description: "What we know about you, who sees it, and how to delete it.",
    sections: {
      "What we keep":
        "Your name, email, account type and photo; the laptops you list; your bookings, payments and reports; the sessions you are signed in with, including their IP addresses; and a log of changes, for security.",
      "Who sees it":
        "Everyone sees a seller's name and listings. A buyer and a seller see each other's phone number and email once the laptop is held. Admins see members, reports and payments. Card numbers go straight to our payment provider; we never see them.",
      "Your data":
        "On your Profile page you can download everything we hold about you, and delete your account. We keep records of completed payments. If you unsubscribe from invitations, we keep a code made from your email address, only to send it no more of them.",
    },
  },
  "/cookies": {
    description: "Which cookies we set, and why.",
    sections: {
      "Cookies we set":
        "We set a cookie that keeps you signed in, and one that lets us recognize this browser when you log in again. Both are needed for signing in. When you sign up, we set one that tells two browsers apart, so that nobody earns credit by inviting themselves. While you sign in with an account from another company, a short-lived cookie protects that step.",
      "What your browser stores":
        "Your browser also stores an access token while you are signed in, and what you have typed into a form until you send it.",
      "What we don't do":
        "We use no cookies for advertising or statistics. On the payment page, our payment provider may set cookies of its own to prevent fraud.",
    },
  },
};
