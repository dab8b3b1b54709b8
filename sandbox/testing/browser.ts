import { type Browser, chromium, expect } from "@playwright/test";

/** Playwright's `expect` with a long timeout for busy machines. */
export const see = expect.configure({ timeout: 300_000 });

/** Opens a browser in which the name `elsewhere.test` resolves to this machine. */
export async function openBrowser(): Promise<Browser> {
  const { CHROMIUM_PATH } = process.env;
  return await chromium.launch({
    ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH }),
    args: ["--no-sandbox", "--disable-quic", "--host-resolver-rules=MAP elsewhere.test 127.0.0.1"],
  });
}
