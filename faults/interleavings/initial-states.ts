import { recordAudit } from "#server/db/audit-log.ts";
import { cardProvider } from "#server/testing/cards.ts";
import { createMember } from "#server/testing/people.ts";
import type { Shop } from "#server/testing/shop.ts";
import { putUpForSale } from "../product-fixtures.ts";
import type { Stage } from "./executor.ts";
import { type Scene, type Verb, type VerbName, verbs } from "./verbs.ts";

type Backstage = { shop: Shop; stage: Stage };

export type Setting = {
  /** What has happened before the two meet. */
  prepare(backstage: Backstage): Promise<Scene>;
  meet: VerbName[];
  /** Of these two exactly one is told yes, whoever comes first. */
  rivals?: [VerbName, VerbName][];
};

export async function available({ shop }: Backstage): Promise<Scene> {
  const [seller, buyer, other, admin] = await Promise.all([
    createMember(shop, { accountType: "seller" }),
    createMember(shop),
    createMember(shop),
    createMember(shop, { isAdmin: true }),
  ]);
  const sell = () => putUpForSale(shop.deps.db, seller.id, shop.clock.now());
  const [product, second] = [await sell(), await sell()];
  const desk = cardProvider(shop.sandbox?.url ?? "");
  const none = { booking: "", intent: "", payment: "" };
  return { desk, seller, buyer, other, admin, product, second, ...none };
}

/** Goes on from a scene by a verb that has to succeed. */
async function then({ stage }: Backstage, scene: Scene, name: VerbName) {
  const verb: Verb = verbs[name];
  const outcome = await verb(stage, scene);
  if (outcome.told !== "yes") throw new Error(`${name}: ${JSON.stringify(outcome)}`);
  return { id: outcome.done[0]?.id ?? "", answer: JSON.stringify(outcome.answer) };
}

async function held(backstage: Backstage): Promise<Scene> {
  const scene = await available(backstage);
  return { ...scene, booking: (await then(backstage, scene, "book")).id };
}

async function payable(backstage: Backstage): Promise<Scene> {
  const scene = await held(backstage);
  const { answer } = await then(backstage, scene, "askForIntent");
  return { ...scene, intent: /pi_[^_"]+/.exec(answer)?.[0] ?? "" };
}

/** The provider has the money, and we have not heard of it. */
async function charged(backstage: Backstage): Promise<Scene> {
  const scene = await payable(backstage);
  await then(backstage, scene, "payByCard");
  return scene;
}

async function paid(backstage: Backstage): Promise<Scene> {
  const scene = await charged(backstage);
  return { ...scene, payment: (await then(backstage, scene, "recordPayment")).id };
}

async function refundDue(backstage: Backstage): Promise<Scene> {
  const scene = await paid(backstage);
  await then(backstage, scene, "refund");
  return scene;
}

/** Somebody gave the money back at the provider itself, and we have not heard of it. */
async function refundedElsewhere(backstage: Backstage): Promise<Scene> {
  const scene = await paid(backstage);
  await scene.desk.refund(scene.intent);
  return scene;
}

/** The hold has ended and the money came all the same: no order of verbs leads here (decision 0005). */
async function late(backstage: Backstage): Promise<Scene> {
  const scene = await charged(backstage);
  const { db, clock } = backstage.shop.deps;
  await db.transaction().execute(async (tx) => {
    const { booking, product } = scene;
    await tx.updateTable("bookings").set({ state: "expired" }).where("id", "=", booking).execute();
    const free = { sales_status: "available" } as const;
    await tx.updateTable("products").set(free).where("id", "=", product).execute();
    const by = { at: clock.now(), actor: null, object: "booking", objectId: booking } as const;
    await recordAudit(tx, { ...by, verb: "expire" });
  });
  return scene;
}

async function oneHoldLeft(backstage: Backstage): Promise<Scene> {
  const scene = await available(backstage);
  const { deps } = backstage.shop;
  for (let holds = 0; holds < 4; holds += 1) {
    const product = await putUpForSale(deps.db, scene.seller.id, deps.clock.now());
    await then(backstage, { ...scene, product }, "book");
  }
  return scene;
}

const overdue = (prepare: Setting["prepare"]) => async (backstage: Backstage) => {
  const scene = await prepare(backstage);
  backstage.shop.clock.advance(backstage.shop.deps.config.holdMinutes);
  return scene;
};

const gone: VerbName[] = ["deleteProduct", "deleteSeller", "deleteBuyer"];
const news: VerbName[] = ["recordPayment", "hearOfPayment", "reconcile"];

/** Each state a laptop can be in, and everything that can happen to it there. */
export const settings: Record<string, Setting> = {
  "an available laptop": {
    prepare: available,
    meet: ["book", "bookByOther", "bookSecond", "advertise", ...gone],
    rivals: [
      ["book", "bookByOther"],
      ["book", "deleteProduct"],
      ["bookByOther", "deleteProduct"],
    ],
  },
  "the last hold a buyer may have": {
    prepare: oneHoldLeft,
    meet: ["book", "bookSecond"],
    rivals: [["book", "bookSecond"]],
  },
  "a held laptop": {
    prepare: held,
    meet: ["book", "bookByOther", "askForIntent", "cancel", "cancelBySeller", ...gone],
    rivals: [["cancel", "cancelBySeller"]],
  },
  "a hold that has run out": {
    prepare: overdue(held),
    meet: ["book", "bookByOther", "askForIntent", "cancel", "expire", "reconcile", ...gone],
    rivals: [["book", "bookByOther"]],
  },
  "a hold about to be paid": {
    prepare: payable,
    meet: ["askForIntent", "payByCard", "cancel", "cancelBySeller", "reconcile", "bookByOther"],
    rivals: [
      ["payByCard", "cancel"],
      ["payByCard", "cancelBySeller"],
    ],
  },
  "a hold that runs out as it is paid": {
    prepare: overdue(payable),
    meet: ["payByCard", "expire", "book", "bookByOther", "askForIntent", "cancel", "reconcile"],
    rivals: [
      ["payByCard", "bookByOther"],
      ["payByCard", "cancel"],
    ],
  },
  "money we have not heard of": {
    prepare: charged,
    meet: [...news, "askForIntent", "cancel", "cancelBySeller", "bookByOther", ...gone],
    rivals: [
      ["recordPayment", "cancel"],
      ["recordPayment", "cancelBySeller"],
    ],
  },
  "money we have not heard of, for a hold that has run out": {
    prepare: overdue(charged),
    meet: [...news, "expire", "book", "bookByOther", "cancel"],
    rivals: [["recordPayment", "bookByOther"]],
  },
  "a paid laptop": {
    prepare: paid,
    meet: [...news, "refund", "handOver", "bookByOther", ...gone],
    rivals: [["refund", "handOver"]],
  },
  "money on its way back": {
    prepare: refundDue,
    meet: [...news, "refund", "giveBack", "handOver", "book", "bookByOther", ...gone],
    rivals: [["bookByOther", "deleteProduct"]],
  },
  "money given back elsewhere": {
    prepare: refundedElsewhere,
    meet: ["hearOfPayment", "recordPayment", "refund", "bookByOther", ...gone],
  },
  "money that came late": {
    prepare: late,
    meet: [...news, "book", "bookByOther", ...gone],
    rivals: [
      ["recordPayment", "bookByOther"],
      ["recordPayment", "deleteProduct"],
    ],
  },
};
