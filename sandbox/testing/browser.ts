import { type Browser, chromium } from "@playwright/test";

/** A browser, the one that `npm test` has found; `elsewhere.test` is this machine too. */
export async function openBrowser(): Promise<Browser> {
  const { CHROMIUM_PATH } = process.env;
  return await chromium.launch({
    ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH }),
    args: ["--no-sandbox", "--disable-quic", "--host-resolver-rules=MAP elsewhere.test 127.0.0.1"],
  });
}
