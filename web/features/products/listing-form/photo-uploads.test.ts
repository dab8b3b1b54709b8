import { expect, test } from "vitest";
import { createPictureUploads, type LaptopPhoto } from "./photo-uploads.ts";

const fileNamed = (name: string) => new File([name], name, { type: "image/jpeg" });
const nameOf = (photo: LaptopPhoto) => ("img" in photo ? photo.img : photo.file.name);

/** The uploads finish when the test calls `end`. */
function start(addresses: string[] = []) {
  const sent: { name: string; end: (failure?: string) => void }[] = [];
  const uploads = createPictureUploads(
    ({ file }) =>
      new Promise((resolve, reject) =>
        sent.push({
          name: file.name,
          end: (failure) => (failure ? reject(new Error(failure)) : resolve(`/${file.name}`)),
        }),
      ),
    addresses,
  );
  const listed = () => uploads.list().map(({ photo, status }) => [nameOf(photo), status]);
  const end = async (failure?: string) => {
    const before = uploads.list();
    sent.at(-1)?.end(failure);
    await expect.poll(() => uploads.list()).not.toBe(before);
  };
  const idOf = (name: string) =>
    uploads.list().find(({ photo }) => nameOf(photo) === name)?.id ?? "";
  return { uploads, sent, listed, end, idOf };
}

test("pictures upload one at a time, and a failed picture keeps its place for a retry", async () => {
  const { uploads, sent, listed, end, idOf } = start(["/listed"]);
  uploads.add([fileNamed("a"), fileNamed("b")]);
  expect(listed()).toEqual([
    ["/listed", "uploaded"],
    ["a", "sending"],
    ["b", "waiting"],
  ]);
  await end("No connection.");
  await expect.poll(() => sent.map(({ name }) => name)).toEqual(["a", "b"]);
  await end();
  expect(uploads.list()[1]).toMatchObject({ status: "failed", message: "No connection." });
  await expect(uploads.addresses()).rejects.toMatchObject({
    fields: { pictures: "Some pictures aren't uploaded. Try them again, or remove them." },
  });
  uploads.retry(idOf("a"));
  await expect.poll(() => sent.length).toBe(3);
  const addresses = uploads.addresses();
  await end();
  expect(await addresses).toEqual(["/listed", "/a", "/b"]);
});

test("pictures can be moved and removed, and replaced even during an upload", async () => {
  const { uploads, listed, end, idOf } = start(["/1", "/2", "/3"]);
  uploads.move(idOf("/3"), -1);
  uploads.move(idOf("/1"), 1);
  expect(listed().map(([name]) => name)).toEqual(["/3", "/1", "/2"]);
  uploads.remove(idOf("/1"));
  uploads.add([fileNamed("a")]);
  const place = idOf("a");
  uploads.replace(place, { img: "/cover" });
  await end();
  expect(listed()).toEqual([
    ["/3", "uploaded"],
    ["/2", "uploaded"],
    ["/cover", "uploaded"],
  ]);
  expect(idOf("/cover")).toBe(place);
});

test("a picture that the listing already has is rejected", async () => {
  const { uploads, end } = start(["/a"]);
  uploads.add([fileNamed("a")]);
  await end();
  await expect
    .poll(() => uploads.list()[1])
    .toMatchObject({ status: "failed", message: "You have this picture already." });
});
