import { randomBytes } from "node:crypto";
import { type ApiResponse, resourceMissing } from "./errors.ts";
import { type EndpointDetails, newWebhookEndpoint } from "./new-objects.ts";
import type { WebhookEndpoint } from "./objects.ts";
import type { Store } from "./store.ts";

/** Events always go to `WEBHOOK_URL`, signed with `STRIPE_WEBHOOK_SECRET`. */
export function createEndpoint(store: Store, details: EndpointDetails): ApiResponse {
  const endpoint = newWebhookEndpoint(details);
  store.put(endpoint);
  const secret = `whsec_${randomBytes(16).toString("hex")}`;
  return { status: 200, body: { ...endpoint, secret } };
}

type Changes = { enabled_events?: string[] | undefined; disabled?: "true" | "false" | undefined };

export function updateEndpoint(store: Store, id: string, changes: Changes): ApiResponse {
  const endpoint = findEndpoint(store, id);
  const { enabled_events = endpoint.enabled_events, disabled } = changes;
  const status = disabled === undefined ? endpoint.status : statuses[disabled];
  const changed: WebhookEndpoint = { ...endpoint, enabled_events, status };
  store.put(changed);
  return { status: 200, body: changed };
}

const statuses = { true: "disabled", false: "enabled" } as const;

export function deleteEndpoint(store: Store, id: string): ApiResponse {
  findEndpoint(store, id);
  store.remove(id);
  return { status: 200, body: { id, object: "webhook_endpoint", deleted: true } };
}

function findEndpoint(store: Store, id: string): WebhookEndpoint {
  const endpoint = store.find("webhook_endpoint", id);
  if (!endpoint) throw resourceMissing("webhook_endpoint", id);
  return endpoint;
}
