import type { FastifyInstance } from "fastify";
import type { Deps } from "../deps.ts";
import { failureLog } from "./failure-log.ts";
import type { SiteSettings } from "./site.ts";

export function siteSettings(app: FastifyInstance, { config, identity }: Deps): SiteSettings {
  const { production, staging, s3 } = config;
  return {
    ...{ production, staging },
    photosUrl: s3?.publicUrl,
    usesFirebase: identity.firebase !== null,
    logFailure: failureLog(app),
  };
}
