import { parseArgs } from "node:util";
import { isStripeError, type StripeConnection } from "../adapters/cards/stripe-client.ts";
import {
  connectProblem,
  type EndpointChange,
  ensureEventDestination,
  ensureWebhookEndpoint,
  webhookPath,
} from "../adapters/cards/stripe-setup.ts";
import { hostedServices } from "../adapters/hosted-services.ts";
import { readConfig, readStripeSecretKey } from "../config.ts";
import { AppError } from "../errors.ts";
import { isLoopback } from "../settings/production-checks.ts";
import { runCommand } from "./run-command.ts";

const usage =
  "Usage: npm run stripe -- webhook --url https://laptops.example.com   (the shop's public URL)";

/** `npm run stripe -- webhook`: makes Stripe send the shop's events to the given URL. */
async function main(args: string[]): Promise<string> {
  const url = webhookUrl(args);
  const stripe = connection();
  try {
    return await register(stripe, url);
  } catch (error) {
    throw forOperator(error, stripe);
  }
}

async function register(stripe: StripeConnection, url: string): Promise<string> {
  const own = await ensureWebhookEndpoint(stripe, url);
  const said = report(own, { what: `webhook endpoint ${url}`, secret: "STRIPE_WEBHOOK_SECRET" });
  // Printed before the next step, because the secret can't be shown again if that step fails.
  process.stdout.write(`${said}\n\n`);
  return await sellersPart(stripe, url);
}

async function sellersPart(stripe: StripeConnection, url: string): Promise<string> {
  const problem = await connectProblem(stripe);
  if (problem !== undefined)
    return `${problem} Enable Connect in Stripe's dashboard and run this command again.`;
  return report(await ensureEventDestination(stripe, url), {
    what: `event destination for sellers' accounts at ${url}`,
    secret: "STRIPE_CONNECT_WEBHOOK_SECRET",
  });
}

export function webhookUrl(args: string[]): string {
  const { positionals, values } = parsed(args);
  const url = values.url === undefined ? null : URL.parse(values.url);
  if (positionals.join() !== "webhook" || !url) throw new AppError("BAD_REQUEST", usage);
  if (url.protocol !== "https:" && !isLoopback(url.hostname))
    throw new AppError(
      "BAD_REQUEST",
      "Stripe sends events to https:// only. Give the shop's public URL, such as https://laptops.example.com.",
    );
  if (url.pathname !== webhookPath && (url.pathname !== "/" || url.search !== ""))
    throw new AppError(
      "BAD_REQUEST",
      `The shop receives events at ${webhookPath}. Give its public URL, such as https://laptops.example.com.`,
    );
  return `${url.origin}${webhookPath}`;
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: { url: { type: "string" } } });
  } catch {
    throw new AppError("BAD_REQUEST", usage);
  }
}

/** Without `STRIPE_SECRET_KEY`, uses the sandbox that `npm start` runs. */
function connection(): StripeConnection {
  const secretKey = readStripeSecretKey();
  if (secretKey !== undefined) return { secretKey };
  const config = readConfig();
  const url = `http://127.0.0.1:${config.sandboxPort}`;
  return hostedServices(config, { url, smtpUrl: "" }).stripe;
}

/** Replaces messages for shoppers with instructions for the operator. */
function forOperator(error: unknown, { host }: StripeConnection): unknown {
  if (isStripeError(error, "StripeAuthenticationError"))
    return new Error(`Stripe refuses the key: ${error.message} Check STRIPE_SECRET_KEY.`);
  if (!(error instanceof AppError) || error.code !== "PROVIDER_UNAVAILABLE") return error;
  const reason = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  const again = "Then run the command again; endpoints that are already correct stay as they are.";
  if (host)
    return new Error(
      `The sandbox at http://${host.hostname}:${host.port} doesn't answer, or failed${reason}. Start the shop, which starts it, or set STRIPE_SECRET_KEY to use Stripe. ${again}`,
    );
  return new Error(
    `Stripe doesn't answer, or failed${reason}. Check that this machine can reach https://api.stripe.com, and whether https://status.stripe.com says more. ${again}`,
  );
}

function report(
  result: EndpointChange,
  { what, secret }: { what: string; secret: string },
): string {
  switch (result.change) {
    case "none":
      return `The ${what} is as it should be. Nothing was changed.`;
    case "updated":
      return `The ${what} now sends the events that the shop handles. Its secret is the same as before.`;
    default:
      return `The ${what} was ${result.change}. Its secret is shown only now:\n\n${secret}=${result.secret}`;
  }
}

if (import.meta.main) await runCommand(main);
