import { randomBytes } from "node:crypto";
import type { z } from "zod";
import { timestamp, unixSeconds } from "./clock.ts";
import { type ApiResponse, notFound, resourceMissing } from "./errors.ts";
import { newId } from "./new-objects.ts";
import type { EventDestination, WebhookEndpoint } from "./objects.ts";
import type {
  createDestinationParams,
  createEndpointParams,
  updateDestinationParams,
  updateEndpointParams,
} from "./params.ts";
import type { Store } from "./store.ts";

/**
 * Stores `url`, but version 1 events always go to `WEBHOOK_URL`, signed with
 * `STRIPE_WEBHOOK_SECRET`.
 */
export function createEndpoint(
  store: Store,
  wanted: z.output<typeof createEndpointParams>,
): ApiResponse {
  const { url, enabled_events, api_version = null, description = null } = wanted;
  const endpoint: WebhookEndpoint = {
    id: newId("we"),
    object: "webhook_endpoint",
    api_version,
    description,
    enabled_events,
    url,
    application: null,
    created: unixSeconds(),
    livemode: false,
    metadata: {},
    status: "enabled",
  };
  store.put(endpoint);
  const secret = `whsec_${randomBytes(16).toString("hex")}`;
  return { status: 200, body: { ...endpoint, secret } };
}

export function updateEndpoint(
  store: Store,
  id: string,
  changes: z.output<typeof updateEndpointParams>,
): ApiResponse {
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

type Include = z.output<typeof createDestinationParams>["include"];

/**
 * Stores the endpoint's URL, but version 2 events always go to `WEBHOOK_URL`, signed with
 * `STRIPE_CONNECT_WEBHOOK_SECRET`.
 */
export function createDestination(
  store: Store,
  { include, webhook_endpoint, ...wanted }: z.output<typeof createDestinationParams>,
): ApiResponse {
  const signing_secret = `whsec_${randomBytes(16).toString("hex")}`;
  const destination: EventDestination = {
    id: newId("ed"),
    object: "v2.core.event_destination",
    ...wanted,
    created: timestamp(),
    livemode: false,
    metadata: {},
    status: "enabled",
    updated: timestamp(),
    webhook_endpoint,
  };
  store.put(destination);
  const { webhook_endpoint: told, ...body } = presentDestination(destination, include);
  const secret = include.includes("webhook_endpoint.signing_secret") && { signing_secret };
  return { status: 200, body: { ...body, webhook_endpoint: { ...told, ...secret } } };
}

/** A response contains the URL only if `include` names it. Only creation can return the secret. */
export function presentDestination(
  { webhook_endpoint, ...destination }: EventDestination,
  include: Include,
): EventDestination {
  const isAsked = include.includes("webhook_endpoint.url");
  return { ...destination, webhook_endpoint: isAsked ? { ...webhook_endpoint } : {} };
}

type DestinationChanges = Omit<z.output<typeof updateDestinationParams>, "include"> & {
  status?: EventDestination["status"];
};

export function updateDestination(
  store: Store,
  id: string,
  { enabled_events, status }: DestinationChanges,
): EventDestination {
  const destination = findDestination(store, id);
  const changed: EventDestination = {
    ...destination,
    enabled_events: enabled_events ?? destination.enabled_events,
    status: status ?? destination.status,
    updated: timestamp(),
  };
  store.put(changed);
  return changed;
}

export function deleteDestination(store: Store, id: string): ApiResponse {
  findDestination(store, id);
  store.remove(id);
  return { status: 200, body: { id, object: "v2.core.event_destination" } };
}

function findDestination(store: Store, id: string): EventDestination {
  const destination = store.find("v2.core.event_destination", id);
  if (!destination) throw notFound(`No such event destination: '${id}'`);
  return destination;
}
