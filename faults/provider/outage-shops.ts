import { stripeCards } from "#server/adapters/cards/stripe.ts";
import { hostedServices } from "#server/adapters/hosted-services.ts";
import {
  type ProviderTimeouts,
  providerTimeouts,
} from "#server/settings/http-and-provider-timeouts.ts";
import { freePort } from "#server/testing/free-port.ts";
import { openOidcProvider } from "#server/testing/oidc-provider.ts";
import { startHost, startS3 } from "#server/testing/photo-stores.ts";
import { openShop, type Shop } from "#server/testing/shop.ts";
import { type OutageProxy, startOutageProxy } from "./outage-proxy.ts";

/** Timeouts for `npm test`. With `--minutes`, the product's own timeouts apply. */
export const briefTimeouts: ProviderTimeouts = {
  cards: 1_000,
  signIn: 1_000,
  imageHost: 1_000,
  s3: { connect: 1_000, attempt: 1_000, total: 3_000 },
  mail: { connectionTimeout: 1_000, greetingTimeout: 1_000, socketTimeout: 1_000 },
};

/** The delay of a slow provider. In `npm test`, the shop times out much earlier. */
export const slowMs = 30_000;

export type OutageShops = Awaited<ReturnType<typeof openOutageShops>>;

/** Opens two shops that reach hosted services through proxies. `hosted` uses an image host. */
export async function openOutageShops({ long }: { long: boolean }) {
  const timeouts = long ? providerTimeouts : briefTimeouts;
  const http = { protocol: "http", slowMs } as const;
  const proxies = {
    cards: await startOutageProxy({ ...http, replaceHost: true }),
    signIn: await startOutageProxy(http),
    s3: await startOutageProxy(http),
    imageHost: await startOutageProxy(http),
    mail: await startOutageProxy({ protocol: "smtp", slowMs }),
  };
  const PORT = String(await freePort());
  const issuer = proxies.signIn.url;
  const provider = await openOidcProvider(`http://127.0.0.1:${PORT}`, {}, { issuer });
  const [s3, host] = [await startS3(), await startHost()];
  const shop = await openShop({
    sandbox: true,
    worker: true,
    env: {
      PORT,
      ...provider.settings,
      ...s3.env,
      S3_ENDPOINT: proxies.s3.url,
      SMTP_URL: `smtp://127.0.0.1:${proxies.mail.port}`,
      CONFIRM_ADDRESSES: "optional",
    },
    config: { providerTimeouts: timeouts },
  });
  const hosted = await openShop({
    env: { ...host.env, IMAGE_HOST_URL: proxies.imageHost.url },
    config: { providerTimeouts: timeouts },
  });
  proxies.signIn.forwardTo(provider.port);
  proxies.s3.forwardTo(s3.url);
  proxies.imageHost.forwardTo(host.url);
  proxies.cards.forwardTo(shop.sandbox?.url ?? "");
  proxies.mail.forwardTo(shop.sandbox?.smtpUrl ?? "");
  sendCardsThrough(shop, proxies.cards, timeouts.cards);
  return {
    shop,
    hosted,
    proxies,
    host,
    async close() {
      await Promise.all(Object.values(proxies).map((proxy) => proxy.set(undefined)));
      for (const opened of [shop, hosted, provider, s3, host, ...Object.values(proxies)])
        await opened.close();
    },
  };
}

export function sendCardsThrough(shop: Shop, { port }: OutageProxy, timeoutMs: number): void {
  const { stripe } = hostedServices(shop.deps.config, shop.sandbox);
  const behind = { ...stripe, host: { hostname: "127.0.0.1", port }, timeoutMs };
  Object.assign(shop.deps, { cards: stripeCards(behind) });
}
