import { randomUUID } from "node:crypto";
import { stopInvitationsLink } from "#server/email/opt-outs.ts";
import { member, type Person } from "#server/testing/people.ts";
import type { Fixtures } from "./fixtures.ts";
import { byEmail, everybody, nothing, type Rows, uploadedPhoto } from "./row.ts";

const ofEmail = async (_: Fixtures, { email }: Person) => ({ params: { email } });
const byProof = { owners: everybody, refusal: 403 };
const asBuyer = async (_: Fixtures, { name, email }: Person) => ({
  body: { name, email, accountType: "buyer" },
});

export const memberRows = {
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
  uploadPhoto: { ask: uploadedPhoto },
  resendConfirmation: {
    ask: async (fixtures, owner) => {
      await fixtures.unconfirmed(owner);
      return {};
    },
  },
  confirmAddress: {
    ask: async (fixtures, owner) => ({ body: { token: await fixtures.confirmationToken(owner) } }),
  },
  endSession: {
    owners: everybody,
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.session(owner) } }),
  },
  confirmPassword: {
    ask: async (fixtures, owner) => ({ body: { password: await fixtures.password(owner) } }),
  },
  readOwnData: { tellsOtherSide: true, ask: nothing },
  inviteFriend: { ask: async () => ({ body: { email: "friend@example.com" } }) },
  listInvitations: {
    ask: async (fixtures, owner) => {
      await fixtures.invitation(owner, "sent");
      return {};
    },
  },
  acceptInvitation: {
    ask: async (fixtures) => ({
      body: { code: await fixtures.invitationCode(await member(fixtures.shop)) },
    }),
  },
  decideInvitation: {
    ask: async (fixtures) => ({
      params: { id: await fixtures.invitation(fixtures.members.buyer[0], "review") },
      body: { approve: true },
    }),
  },
  unsubscribe: {
    ask: async ({ shop }) => {
      const { searchParams } = new URL(await stopInvitationsLink(shop.deps, "friend@example.com"));
      return { query: Object.fromEntries(searchParams) };
    },
  },
  deleteAccount: { never: { admin: 409 }, ask: nothing },
  isAdmin: { ...byEmail, ask: ofEmail },
  isSeller: { ...byEmail, ask: ofEmail },
  addRole: {
    never: { admin: 403 },
    // Keeps the member's current role, so that other calls are not affected.
    ask: async ({ members }, owner) => ({
      body: { role: members.seller.includes(owner) ? "seller" : "buyer" },
    }),
  },
  deleteUser: {
    ask: async ({ shop }) => ({ params: { id: (await member(shop)).id } }),
  },
  endMemberSessions: {
    ask: async ({ shop }) => ({ params: { id: (await member(shop)).id } }),
  },
  toggleSuspension: {
    ask: async ({ shop }) => ({ body: { id: (await member(shop)).id, suspended: false } }),
  },
  toggleSellerStatus: {
    ask: async ({ shop }) => {
      const { id, email } = await member(shop, { accountType: "seller" });
      return { body: { id, email, verify: false } };
    },
  },
  noteVerification: {
    ask: async ({ shop }) => {
      const { id } = await member(shop, { accountType: "seller", verify: true });
      return { body: { id, note: "Showed an ID card." } };
    },
  },
  changeStaffRole: {
    ask: async ({ shop }) => ({
      params: { id: (await member(shop, { isAdmin: true })).id },
      body: { role: "support" },
    }),
  },
  removeStaff: {
    ask: async ({ shop }) => ({ params: { id: (await member(shop, { isAdmin: true })).id } }),
  },
  inviteStaff: {
    ask: async () => ({ body: { email: `${randomUUID()}@example.com`, role: "finance" } }),
  },
  revokeStaffInvitation: {
    ask: async (fixtures, owner) => ({
      params: { id: (await fixtures.staffInvitation(owner)).id },
    }),
  },
  acceptStaffInvitation: {
    owners: everybody,
    refusal: 403,
    ask: async (fixtures, owner) => {
      const { token } = await fixtures.staffInvitation(owner);
      return { body: { token } };
    },
  },
} satisfies Rows;
