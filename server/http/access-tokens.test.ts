import { expect, test } from "vitest";
import { createTokens } from "./access-tokens.ts";

const claims = { memberId: "a member", sessionId: "a session" };
const secrets = { secret: "the secret of now, long enough", previousSecret: undefined };

test("an access token with a forged signature is invalid, even after the genuine token was verified", async () => {
  const clock = { now: () => new Date() };
  const tokens = createTokens(secrets, clock);
  const token = await tokens.issue(claims);
  await tokens.verify(token);
  const other = createTokens({ ...secrets, secret: "another secret, long enough" }, clock);
  const forged = await other.issue(claims);
  expect(await tokens.verify(forged)).toBeUndefined();
  const swapped = `${token.slice(0, token.lastIndexOf("."))}.${forged.split(".")[2]}`;
  expect(await tokens.verify(swapped)).toBeUndefined();
});
