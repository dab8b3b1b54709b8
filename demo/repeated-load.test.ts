import { expect, test, vi } from "vitest";
import { tooMuchToDecode } from "../server/features/images/check-photo.ts";
import { retryUpload } from "./repeated-load.ts";

test("a rejected photo upload is retried, up to ten attempts in total", async () => {
  const upload = vi.fn(() => Promise.resolve("stored"));
  upload.mockRejectedValueOnce(tooMuchToDecode()).mockRejectedValueOnce(tooMuchToDecode());
  await expect(retryUpload(upload)).resolves.toBe("stored");
  expect(upload).toHaveBeenCalledTimes(3);
  const refused = vi.fn(() => Promise.reject(tooMuchToDecode()));
  await expect(retryUpload(refused)).rejects.toThrow("too much memory or time");
  expect(refused).toHaveBeenCalledTimes(10);
});

test("a photo upload that fails with an unexpected error is not retried", async () => {
  const broken = vi.fn(() => Promise.reject(new Error("no space left")));
  await expect(retryUpload(broken)).rejects.toThrow("no space left");
  expect(broken).toHaveBeenCalledTimes(1);
});
