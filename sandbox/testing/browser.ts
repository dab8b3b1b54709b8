import { existsSync } from "node:fs";
import { type Browser, chromium } from "@playwright/test";

const debians = "/usr/bin/chromium";

/** A browser; `elsewhere.test` is this machine too. */
export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({
    ...(existsSync(debians) && { executablePath: debians }),
    args: ["--no-sandbox", "--disable-quic", "--host-resolver-rules=MAP elsewhere.test 127.0.0.1"],
  });
}
