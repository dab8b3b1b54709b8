import { z } from "zod";
import { call } from "./call.ts";

export const readOpenApi = call("GET /openapi.json", {
  access: "public",
  openWhileClosed: true,
  summary: "This API as an OpenAPI 3.1 document",
  reads: [],
  answers: { 200: z.looseObject({ openapi: z.string() }) },
});

export const isHealthy = call("GET /healthz", {
  at: "root",
  access: "public",
  openWhileClosed: true,
  summary: "200 while the process runs",
  reads: [],
  answers: { 200: z.object({ status: z.literal("ok") }) },
});

export const isReady = call("GET /readyz", {
  at: "root",
  access: "public",
  openWhileClosed: true,
  summary: "200 when ready; 503 while starting, shutting down or without a database",
  reads: [],
  answers: { 200: z.object({ status: z.literal("ok") }) },
  refusals: ["UNAVAILABLE"],
});
