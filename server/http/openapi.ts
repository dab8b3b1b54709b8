import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { createJsonSchemaTransform } from "fastify-type-provider-zod";

/** The hash of the inline style in Swagger UI's logo. */
const logoStyle = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='";

/** Call this before registering routes: the document has no earlier routes. */
export async function registerOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Marketplace",
        version: "1.0.0",
        description:
          "A marketplace for used laptops. Sign in with POST /api/auth/sign-in/email, take an access token from GET /api/jwt?email=…, and send it as a bearer token.",
      },
      components: {
        securitySchemes: { accessToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      },
    },
    transform: createJsonSchemaTransform({ skipList: [] }),
  });
  await app.register(swaggerUi, {
    routePrefix: "/api/docs",
    staticCSP: {
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": `'self' ${logoStyle}`,
      "img-src": "'self' data:",
      "connect-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
    },
  });
}
