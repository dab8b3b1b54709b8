import { expect, test, vi } from "vitest";
import { listCategories } from "#contract/categories.ts";
import { browserApi } from "./api.ts";

test("a request fails with UNREACHABLE if no response arrives within a minute", async () => {
  const over = new AbortController();
  const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(over.signal);
  vi.stubGlobal("fetch", (_: unknown, { signal }: RequestInit = {}) => {
    queueMicrotask(() => over.abort());
    return new Promise((_resolve, reject) =>
      signal?.addEventListener("abort", () => reject(new DOMException("too late"))),
    );
  });
  try {
    await expect(browserApi(listCategories, {})).rejects.toMatchObject({ code: "UNREACHABLE" });
    expect(timeout).toHaveBeenCalledWith(60_000);
  } finally {
    vi.unstubAllGlobals();
    timeout.mockRestore();
  }
});
