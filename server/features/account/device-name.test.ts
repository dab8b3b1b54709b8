import { expect, test } from "vitest";
import { deviceName } from "./sessions.ts";

const like = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${like} Chrome/149.0.0.0 Safari/537.36`,
    "Chrome on Windows",
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0) ${like} Chrome/149.0.0.0 Safari/537.36 Edg/149.0`,
    "Edge on Windows",
  ],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 15_7) AppleWebKit/605.1 Version/26.0 Safari/605.1",
    "Safari on Mac",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Mobile Safari/604.1",
    "Safari on iPhone",
  ],
  [
    `Mozilla/5.0 (Linux; Android 16; Pixel) ${like} SamsungBrowser/29.0 Chrome/138.0 Mobile Safari/537.36`,
    "Samsung Internet on Android",
  ],
  ["curl/8.16.0", "Unknown device"],
  [null, "Unknown device"],
])("the user agent %s is shown as %s", (userAgent, words) => {
  expect(deviceName(userAgent)).toBe(words);
});
