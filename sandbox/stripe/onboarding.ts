import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { createExpiringStore } from "../expiring-store.ts";
import { parseFormBodies } from "../form-encoding.ts";
import { sendPage } from "../html.ts";
import { activate, findAccount } from "./accounts.ts";
import { nowMs } from "./clock.ts";
import { newId } from "./new-objects.ts";
import { goneText, onboardingPage } from "./onboarding-page.ts";
import type { Store } from "./store.ts";
import type { OnboardingLink } from "./store-sellers.ts";
import { bankFailureOf } from "./test-banks.ts";
import type { WebhookDispatcher } from "./webhook-dispatcher.ts";

const sessionMs = 60 * 60 * 1000;

const finished = z.object({
  given_name: z.string().trim().min(1, "Enter your first name.").max(80),
  surname: z.string().trim().min(1, "Enter your last name.").max(80),
  routing_number: z.string().regex(/^\d{9}$/, "A routing number has 9 digits."),
  account_number: z.string().regex(/^\d{4,17}$/, "An account number has 4 to 17 digits."),
  terms: z.literal("yes", "Accept the agreement."),
});

type Deps = { store: Store; dispatcher: WebhookDispatcher };
type Request = FastifyRequest<{ Params: { token: string } }>;

/** The provider's page for a seller's name and bank account. Each link works once. */
export async function onboarding(app: FastifyInstance, { store, dispatcher }: Deps): Promise<void> {
  const sessions = createExpiringStore<OnboardingLink>(sessionMs);
  parseFormBodies(app);

  app.get("/stripe/onboarding/:token", async (request: Request, reply) => {
    const link = store.findLink(request.params.token);
    if (!link) return reply.code(404).type("text/plain; charset=utf-8").send(goneText);
    const opens = link.expiresAt > nowMs() && store.takeLink(link.token);
    if (!opens) return reply.redirect(link.refreshUrl, 303);
    return reply.redirect(`/stripe/onboarding/session/${sessions.add(link)}`, 303);
  });

  app.get("/stripe/onboarding/session/:token", async (request: Request, reply) => {
    const link = sessions.find(request.params.token);
    if (!link) return reply.code(404).type("text/plain; charset=utf-8").send(goneText);
    const page = onboardingPage(findAccount(store, link.account), {});
    return sendPage(reply, page, new URL(link.returnUrl).origin);
  });

  app.post("/stripe/onboarding/session/:token", async (request: Request, reply) => {
    const link = sessions.find(request.params.token);
    if (!link) return reply.code(404).type("text/plain; charset=utf-8").send(goneText);
    const form = Object(request.body) as Record<string, string>;
    if (form.action === "later") return reply.redirect(link.returnUrl, 303);
    const parsed = finished.safeParse(form);
    if (!parsed.success) {
      const problem = parsed.error.issues[0]?.message;
      const page = onboardingPage(findAccount(store, link.account), form, problem);
      return sendPage(reply.code(400), page, new URL(link.returnUrl).origin);
    }
    finish(store, link.account, parsed.data);
    dispatcher.wake();
    return reply.redirect(link.returnUrl, 303);
  });
}

function finish(store: Store, id: string, given: z.output<typeof finished>): void {
  const { given_name, surname, account_number } = given;
  store.transaction(() => {
    store.saveBank(id, {
      id: newId("ba"),
      holder: `${given_name} ${surname}`,
      last4: account_number.slice(-4),
      failure: bankFailureOf(account_number),
    });
    activate(store, findAccount(store, id));
  });
}
