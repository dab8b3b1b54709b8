import { randomUUID } from "node:crypto";
import type { Person } from "#server/testing/people.ts";
import type { Kind } from "./actors.ts";
import type { Fixtures } from "./fixtures.ts";
import { type Rows, uploadedPhoto } from "./row.ts";

const sides: Kind[] = ["buyer", "seller"];
const draft = () => ({ text: "Is it still available?", key: randomUUID() });

const ofConversation = async (fixtures: Fixtures, owner: Person) => ({
  params: { id: await fixtures.conversation(owner) },
});

const ofReport = async (fixtures: Fixtures) => ({
  params: { id: await fixtures.reportedConversation(fixtures.members.buyer[0]) },
});

export const messageRows = {
  readConversation: { owners: sides, ask: ofConversation },
  listMessages: { owners: sides, ask: ofConversation },
  askSeller: {
    ask: async (fixtures) => ({ body: { ...draft(), product: { _id: await fixtures.product() } } }),
  },
  messageBuyer: {
    owners: ["seller"],
    ask: async (fixtures, owner) => ({
      params: { id: await fixtures.paidBooking(owner) },
      body: draft(),
    }),
  },
  sendMessage: {
    owners: sides,
    ask: async (...from) => ({ ...(await ofConversation(...from)), body: draft() }),
  },
  markConversationRead: {
    owners: sides,
    ask: async (...from) => ({
      ...(await ofConversation(...from)),
      body: { until: "2030-01-01T00:00:00.000Z" },
    }),
  },
  blockMember: {
    owners: sides,
    ask: async (...from) => ({ ...(await ofConversation(...from)), body: { blocked: true } }),
  },
  reportConversation: {
    owners: sides,
    ask: async (...from) => ({ ...(await ofConversation(...from)), body: { comment: "Rude." } }),
  },
  uploadPrivatePhoto: { ask: uploadedPhoto },
  readPrivatePhoto: {
    owners: sides,
    ask: async (fixtures, owner) => ({ params: { id: await fixtures.sentPhoto(owner) } }),
  },
  setMessageEmails: { ask: async () => ({ body: { emails: false } }) },
  readReportedMessages: { ask: ofReport },
  closeConversationReport: { ask: ofReport },
} satisfies Rows;
