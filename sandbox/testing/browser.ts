import { type Browser, chromium } from "@playwright/test";

/** Chromium of `npm test`. The name `elsewhere.test` resolves to this machine. */
export async function openBrowser(): Promise<Browser> {
  const { CHROMIUM_PATH } = process.env;
  return await chromium.launch({
    ...(CHROMIUM_PATH && { executablePath: CHROMIUM_PATH }),
    args: ["--no-sandbox", "--disable-quic", "--host-resolver-rules=MAP elsewhere.test 127.0.0.1"],
  });
}
