/** The keys of the sandbox's Stripe. They are public, so production rejects them. */
export const sandboxKeys = {
  secretKey: "sk_test_sandbox",
  publishableKey: "pk_test_sandbox",
  webhookSecret: "whsec_sandbox",
  connectWebhookSecret: "whsec_sandbox_connect",
};

/** The shop's credentials at the sandbox's Google. */
export const sandboxGoogle = {
  clientId: "sandbox.apps.googleusercontent.test",
  clientSecret: "sandbox_google_secret",
};
