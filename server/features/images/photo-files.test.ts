import { expect, test } from "vitest";
import { deleteFiles } from "./photo-files.ts";

test("if one file can't be deleted, the other files are deleted before the failure is reported", async () => {
  const deleted: string[] = [];
  const store = {
    put: async () => {},
    read: async () => undefined,
    async delete(name: string) {
      if (name.endsWith("-320.webp")) throw new Error("refused");
      await new Promise(setImmediate);
      deleted.push(name);
    },
  };
  await expect(deleteFiles(store, "0".repeat(64))).rejects.toThrow("refused");
  expect(deleted).toHaveLength(6);
});
