import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { ImageStore } from "./port.ts";

export function testImageStore(open: () => ImageStore): void {
  const name = () => `${randomUUID()}.jpg`;

  test("reading a name returns the bytes that were stored under it", async () => {
    const [store, one, other] = [open(), name(), name()];
    await store.put(one, Buffer.from("one"));
    await store.put(other, Buffer.from([0, 255, 10]));
    expect(await store.read(one)).toEqual(Buffer.from("one"));
    expect(await store.read(other)).toEqual(Buffer.from([0, 255, 10]));
  });

  test("reading an unknown name returns undefined", async () => {
    expect(await open().read(name())).toBeUndefined();
  });

  test("storing the same bytes again changes nothing, even concurrently", async () => {
    const [store, one] = [open(), name()];
    const bytes = Buffer.alloc(200_000, "x");
    await Promise.all(Array.from({ length: 8 }, () => store.put(one, bytes)));
    expect(await store.read(one)).toEqual(bytes);
  });

  test("deleting a file keeps other files, and deleting it again changes nothing", async () => {
    const [store, one, other] = [open(), name(), name()];
    await store.put(one, Buffer.from("one"));
    await store.put(other, Buffer.from("other"));
    await store.delete(one);
    await store.delete(one);
    expect(await store.read(one)).toBeUndefined();
    expect(await store.read(other)).toEqual(Buffer.from("other"));
  });
}
