import sharp from "sharp";
import { embeddedImageHost } from "#contract/images.ts";
import type { Table } from "#contract/table.ts";
import { unsubscribeUrl } from "#server/features/email/opt-outs.ts";
import { goodLaptop } from "#server/testing/marketplace.ts";
import { anyCategory, createMember, type Person } from "#server/testing/people.ts";
import type { Kind } from "./actors.ts";
import type { Fixtures } from "./fixtures.ts";

/** What a call sends. */
export type Parts = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** In place of a JSON body. */
  payload?: { bytes: Buffer; type: string };
};

/** How to make a call, and who owns its object. */
export type Row = {
  /** The kinds that can own the object; empty if nobody owns it. */
  owners?: Kind[];
  /** The kinds allowed on everybody's objects. */
  others?: Kind[];
  /** The refusal's status; 404 by default. */
  refusal?: number;
  /** The kinds refused on their own objects. */
  never?: Partial<Record<Kind, number>>;
  /** Whether it shows deals, with the other party's contact. */
  tellsOtherSide?: true;
  /** A request that succeeds, on an object of the owner. */
  ask(fixtures: Fixtures, owner: Person): Promise<Parts>;
};

const everybody: Kind[] = ["buyer", "seller", "admin"];
const nothing = async () => ({});
const byEmail = { owners: everybody, others: ["admin"] satisfies Kind[] };
const ofEmail = async (_: Fixtures, { email }: Person) => ({ params: { email } });
const byProof = { owners: everybody, refusal: 403 };
const asBuyer = async (_: Fixtures, { name, email }: Person) => ({
  body: { name, email, accountType: "buyer" },
});
const price = goodLaptop.resale_price;

/** One row per call of the contract. */
export const rows: Record<keyof Table, Row> = {
  issueToken: { ...byProof, ask: async (_, { email }) => ({ query: { email } }) },
  joinAsMember: { ...byProof, ask: asBuyer },
  upsertMember: { ...byProof, ask: asBuyer },
  updateProfile: {
    owners: everybody,
    refusal: 400,
    ask: async (fixtures, owner) => ({
      body: { name: owner.name, photoURL: await fixtures.image(owner) },
    }),
  },
  uploadPhoto: { ask: upload },
  readConfirmation: { ask: nothing },
  resendConfirmation: {
    ask: async (fixtures, owner) => {
      await fixtures.unconfirmed(owner);
      return {};
    },
  },
  confirmAddress: {
    ask: async (fixtures, owner) => ({ body: { token: await fixtures.confirmationToken(owner) } }),
  },
  listSessions: { ask: nothing },
  readSecondFactors: { ask: nothing },
  endSession: {
    owners: everybody,
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.session(owner) } }),
  },
  endOtherSessions: { ask: nothing },
  confirmPassword: {
    ask: async (fixtures, owner) => ({ body: { password: await fixtures.password(owner) } }),
  },
  readOwnData: { tellsOtherSide: true, ask: nothing },
  inviteFriend: { ask: async () => ({ body: { email: "friend@example.com" } }) },
  unsubscribe: {
    ask: async ({ shop }) => {
      const { searchParams } = new URL(await unsubscribeUrl(shop.deps, "friend@example.com"));
      return { query: Object.fromEntries(searchParams) };
    },
  },
  deleteAccount: { never: { admin: 409 }, ask: nothing },
  isAdmin: { ...byEmail, ask: ofEmail },
  isSeller: { ...byEmail, ask: ofEmail },
  listBuyers: { ask: nothing },
  listSellers: { ask: nothing },
  deleteUser: {
    ask: async ({ shop }) => ({ params: { id: (await createMember(shop)).id } }),
  },
  endMemberSessions: {
    ask: async ({ shop }) => ({ params: { id: (await createMember(shop)).id } }),
  },
  toggleSuspension: {
    ask: async ({ shop }) => ({ body: { id: (await createMember(shop)).id, suspended: false } }),
  },
  toggleSellerStatus: {
    ask: async ({ shop }) => {
      const { id, email } = await createMember(shop, { accountType: "seller" });
      return { body: { id, email, verify: false } };
    },
  },
  listCategories: { ask: nothing },
  listCategoryProducts: {
    ask: async ({ shop }) => ({ params: { id: await anyCategory(shop) } }),
  },
  listAdvertisedProducts: { ask: nothing },
  listSellerProducts: {
    ...byEmail,
    tellsOtherSide: true,
    ask: async (fixtures, owner) => {
      await fixtures.booking(owner);
      return { params: { email: owner.email } };
    },
  },
  readProduct: {
    ask: async (fixtures) => ({
      params: { id: await fixtures.product(fixtures.members.seller[0]) },
    }),
  },
  addProduct: {
    owners: ["seller"],
    refusal: 400,
    ask: async (fixtures, owner) => {
      const product_categoryId = await anyCategory(fixtures.shop);
      const img = await fixtures.image(owner);
      return { body: { ...goodLaptop, product_categoryId, img, facts: { ram_gb: 16 } } };
    },
  },
  editProduct: {
    owners: ["seller"],
    ask: async (fixtures, owner) => {
      const product_categoryId = await anyCategory(fixtures.shop);
      const img = await fixtures.image(owner);
      const body = {
        ...goodLaptop,
        product_categoryId,
        img,
        resale_price: 600,
        facts: { ram_gb: 8 },
      };
      return { params: { id: await fixtures.product(owner) }, body };
    },
  },
  toggleAdvertise: {
    owners: ["seller"],
    ask: async (fixtures, owner) => ({
      body: { id: await fixtures.product(owner), advertiseStatus: false },
    }),
  },
  takeDownProduct: {
    ask: async (fixtures) => {
      const id = await fixtures.product(fixtures.members.seller[0]);
      return { body: { id, reason: "Not the laptop in the photo." } };
    },
  },
  deleteProduct: {
    owners: ["seller"],
    others: ["admin"],
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.product(owner) } }),
  },
  search: { ask: async () => ({ query: { q: "laptop" } }) },
  listSuggestions: { ask: async () => ({ query: { q: "th" } }) },
  bookProduct: {
    ask: async (fixtures) => ({
      body: {
        price,
        phone: "5550177",
        location: "Leeds station",
        bookingProduct: { _id: await fixtures.product(fixtures.members.seller[0]) },
      },
    }),
  },
  listBookings: {
    ...byEmail,
    tellsOtherSide: true,
    ask: async (fixtures, owner) => {
      await fixtures.booking(owner);
      return { params: { email: owner.email } };
    },
  },
  findBookingToPay: {
    owners: ["buyer"],
    tellsOtherSide: true,
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.booking(owner) } }),
  },
  cancelBooking: {
    owners: ["buyer", "seller"],
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.booking(owner) } }),
  },
  confirmHandover: {
    owners: ["buyer"],
    ask: async (fixtures, owner) => ({ body: { id: await fixtures.paidBooking(owner) } }),
  },
  reportProduct: {
    ask: async (fixtures) => ({
      body: {
        comment: "Not as described.",
        reportProduct: { _id: await fixtures.product(fixtures.members.seller[0]) },
      },
    }),
  },
  listReports: { ask: nothing },
  deleteReport: {
    ask: async (fixtures) => {
      const { buyer, seller } = fixtures.members;
      return { params: { id: await fixtures.report(buyer[0], await fixtures.product(seller[0])) } };
    },
  },
  listAuditLog: { ask: nothing },
  createPaymentIntent: {
    owners: ["buyer"],
    ask: async (fixtures, owner) => ({ body: { price, bookingId: await fixtures.booking(owner) } }),
  },
  recordPayment: {
    owners: ["buyer"],
    ask: async (fixtures, owner) => ({ body: await fixtures.paidAtProvider(owner) }),
  },
  // Authenticated by a signature, which none of the actors has.
  receiveStripeEvent: { ask: async () => ({ body: { id: "evt_1", type: "nothing" } }) },
  listPayments: { ask: nothing },
  refundBooking: {
    ask: async (fixtures) => ({
      body: { bookingId: await fixtures.paidBooking(fixtures.members.buyer[0]) },
    }),
  },
  settleRefund: {
    ask: async (fixtures) => ({
      body: { bookingId: await fixtures.failedRefund(fixtures.members.buyer[0]) },
    }),
  },
  readSellerOverview: { ask: nothing },
  readAdminOverview: { ask: nothing },
  countViews: {
    ask: async (fixtures) => ({
      body: { productIds: [await fixtures.product(fixtures.members.seller[0])] },
    }),
  },
  uploadImage: {
    ask: async () => ({ ...(await upload()), query: { key: embeddedImageHost.key } }),
  },
  readConfig: { ask: nothing },
  readOpenApi: { ask: nothing },
  isHealthy: { ask: nothing },
  isReady: { ask: nothing },
};

async function upload(): Promise<Parts> {
  const photo = sharp({ create: { width: 8, height: 8, channels: 3, background: "#358" } }).jpeg();
  const form = new FormData();
  form.append("image", new Blob([new Uint8Array(await photo.toBuffer())]), "photo.jpg");
  const encoded = new Response(form);
  const type = encoded.headers.get("content-type") ?? "";
  return { payload: { bytes: Buffer.from(await encoded.arrayBuffer()), type } };
}
