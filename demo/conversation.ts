import type { Member } from "../server/db/member.ts";
import type { Deps } from "../server/deps.ts";
import { makeOffer } from "../server/features/deals/make-offer.ts";
import { markConversationRead } from "../server/features/messages/message-inbox.ts";
import { askSeller, sendMessage } from "../server/features/messages/send-message.ts";
import { ago, depsAt } from "./backdate.ts";
import type { DemoMembers } from "./people.ts";
import { unless } from "./repeated-load.ts";

const product_name = "LG gram 17, i7, 16 GB, 1 TB";

export async function talk(deps: Deps, { buyers, sellers }: DemoMembers): Promise<void> {
  const { nora: buyer } = buyers;
  const { marta: seller } = sellers;
  if (!buyer || !seller) throw new Error("The demo's buyer or seller is missing.");
  const { id: _id } = await deps.db
    .selectFrom("products")
    .select("id")
    .where("product_name", "=", product_name)
    .executeTakeFirstOrThrow();
  const product = { _id };
  const conversationId = await askSeller(before(deps, 28), buyer, {
    product,
    ...message(
      1,
      "Hi! Does the battery still last a working day? And is the charger the original one?",
    ),
  });
  const reply = async (hours: number, sender: Member, draft: ReturnType<typeof message>) => {
    const until = ago(deps, { hours }).toISOString();
    await markConversationRead(deps, sender, { id: conversationId, until });
    await sendMessage(before(deps, hours), sender, { conversationId, ...draft });
  };
  await reply(
    27,
    seller,
    message(2, "About seven hours of writing and browsing. The charger is LG's own, 65 W."),
  );
  const offer = {
    product,
    price: 450,
    phone: "503-555-0126",
    location: "Multnomah County Central Library, Portland, main entrance",
  };
  await makeOffer(before(deps, 3), buyer, offer).catch(unless("ALREADY_OFFERED"));
  await reply(
    2,
    buyer,
    message(3, "That sounds good. I've made you an offer, and I could come on Saturday morning."),
  );
}

function before(deps: Deps, hours: number): Deps {
  return depsAt(deps, ago(deps, { hours }));
}

/** Adds a fixed idempotency key, so that loading the demo twice sends the message once. */
function message(number: number, text: string) {
  return { text, key: `00000000-0000-7000-8000-00000000000${number}` };
}
