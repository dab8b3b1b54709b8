import sharp from "sharp";
import { embeddedImageHost } from "#contract/images.ts";
import type { Table } from "#contract/table.ts";
import { anyCategory, createMember, goodLaptop, type Person } from "#server/testing/people.ts";
import type { Kind } from "./actors.ts";
import type { Stage } from "./fixtures.ts";

/** What is sent with a call, beside its path. */
export type Parts = {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** In place of a JSON body. */
  payload?: { bytes: Buffer; type: string };
};

/** How a call is arranged, and whose its object is. */
export type Row = {
  /** Who can have such an object; nobody where the call is about nobody's. */
  owners?: Kind[];
  /** Who is let at everybody's. */
  others?: Kind[];
  /** What meets whoever is not let at it; 404 unless told. */
  refusal?: number;
  /** Who is refused at their own. */
  never?: Partial<Record<Kind, number>>;
  /** Whether it tells of deals, and so of the other side of a live one. */
  tellsOtherSide?: true;
  /** A request that succeeds, about an object of the owner's. */
  ask(stage: Stage, owner: Person): Promise<Parts>;
};

const everybody: Kind[] = ["buyer", "seller", "admin"];
const nothing = async () => ({});
const byEmail = { owners: everybody, others: ["admin"] satisfies Kind[] };
const ofEmail = async (_: Stage, { email }: Person) => ({ params: { email } });
const byProof = { owners: everybody, refusal: 403 };
const asBuyer = async (_: Stage, { name, email }: Person) => ({
  body: { name, email, accountType: "buyer" },
});
const price = goodLaptop.resale_price;

/** One row for each call of the contract. */
export const rows: Record<keyof Table, Row> = {
  issueToken: { ...byProof, ask: async (_, { email }) => ({ query: { email } }) },
  joinAsMember: { ...byProof, ask: asBuyer },
  upsertMember: { ...byProof, ask: asBuyer },
  updateProfile: {
    owners: everybody,
    refusal: 400,
    ask: async (stage, owner) => ({
      body: { name: owner.name, photoURL: await stage.image(owner) },
    }),
  },
  uploadPhoto: { ask: upload },
  readConfirmation: { ask: nothing },
  resendConfirmation: {
    ask: async (stage, owner) => {
      await stage.unconfirmed(owner);
      return {};
    },
  },
  confirmAddress: {
    ask: async (stage, owner) => ({ body: { token: await stage.confirmationToken(owner) } }),
  },
  listSessions: { ask: nothing },
  readSecondFactors: { ask: nothing },
  endSession: {
    owners: everybody,
    ask: async (stage, owner) => ({ params: { id: await stage.session(owner) } }),
  },
  endOtherSessions: { ask: nothing },
  confirmPassword: {
    ask: async (stage, owner) => ({ body: { password: await stage.password(owner) } }),
  },
  readOwnData: { tellsOtherSide: true, ask: nothing },
  inviteFriend: { ask: async () => ({ body: { email: "friend@example.com" } }) },
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
    ask: async (stage, owner) => {
      await stage.booking(owner);
      return { params: { email: owner.email } };
    },
  },
  addProduct: {
    owners: ["seller"],
    refusal: 400,
    ask: async (stage, owner) => {
      const product_categoryId = await anyCategory(stage.shop);
      return { body: { ...goodLaptop, product_categoryId, img: await stage.image(owner) } };
    },
  },
  toggleAdvertise: {
    owners: ["seller"],
    ask: async (stage, owner) => ({
      body: { id: await stage.product(owner), advertiseStatus: false },
    }),
  },
  takeDownProduct: {
    ask: async (stage) => {
      const id = await stage.product(stage.cast.seller[0]);
      return { body: { id, reason: "Not the laptop in the photo." } };
    },
  },
  deleteProduct: {
    owners: ["seller"],
    others: ["admin"],
    ask: async (stage, owner) => ({ params: { id: await stage.product(owner) } }),
  },
  bookProduct: {
    ask: async (stage) => ({
      body: {
        price,
        phone: "5550177",
        location: "Leeds station",
        bookingProduct: { _id: await stage.product(stage.cast.seller[0]) },
      },
    }),
  },
  listBookings: {
    ...byEmail,
    tellsOtherSide: true,
    ask: async (stage, owner) => {
      await stage.booking(owner);
      return { params: { email: owner.email } };
    },
  },
  findBookingToPay: {
    owners: ["buyer"],
    tellsOtherSide: true,
    ask: async (stage, owner) => ({ params: { id: await stage.booking(owner) } }),
  },
  cancelBooking: {
    owners: ["buyer", "seller"],
    ask: async (stage, owner) => ({ params: { id: await stage.booking(owner) } }),
  },
  confirmHandover: {
    owners: ["buyer"],
    ask: async (stage, owner) => ({ body: { id: await stage.paidBooking(owner) } }),
  },
  reportProduct: {
    ask: async (stage) => ({
      body: {
        comment: "Not as described.",
        reportProduct: { _id: await stage.product(stage.cast.seller[0]) },
      },
    }),
  },
  listReports: { ask: nothing },
  deleteReport: {
    ask: async (stage) => {
      const { buyer, seller } = stage.cast;
      return { params: { id: await stage.report(buyer[0], await stage.product(seller[0])) } };
    },
  },
  listAuditLog: { ask: nothing },
  createPaymentIntent: {
    owners: ["buyer"],
    ask: async (stage, owner) => ({ body: { price, bookingId: await stage.booking(owner) } }),
  },
  recordPayment: {
    owners: ["buyer"],
    ask: async (stage, owner) => ({ body: await stage.paidAtProvider(owner) }),
  },
  // Proven by a signature, which nobody here has.
  receiveStripeEvent: { ask: async () => ({ body: { id: "evt_1", type: "nothing" } }) },
  listPayments: { ask: nothing },
  refundBooking: {
    ask: async (stage) => ({
      body: { bookingId: await stage.paidBooking(stage.cast.buyer[0]) },
    }),
  },
  readSellerOverview: { ask: nothing },
  readAdminOverview: { ask: nothing },
  countViews: {
    ask: async (stage) => ({
      body: { productIds: [await stage.product(stage.cast.seller[0])] },
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
