import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "../testing/create-test-database.ts";
import { run, waitForExit } from "../testing/program.ts";
import { openTestDatabase } from "../testing/test-connections.ts";
import { exportSettings, publishFile } from "./setup.ts";

const relap = "demo/relap.json";

let folder: string;
let url: string;
let database: ReturnType<typeof openTestDatabase>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secondlap-setup-"));
  url = await createTestDatabase("setup");
  database = openTestDatabase(url, 1);
});
afterAll(async () => {
  await database.pool.end();
  await rm(folder, { recursive: true });
});

async function setUp(...words: string[]) {
  return await waitForExit(run({ DATABASE_URL: url }, ["server/cli/setup.ts", ...words]));
}

async function file(settings: unknown): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.json`);
  await writeFile(path, typeof settings === "string" ? settings : JSON.stringify(settings));
  return path;
}

test("setup publishes a file's settings, exports the published settings, and publishes nothing if a file changes no setting", async () => {
  const { code, said } = await setUp(relap);
  expect([code, said]).toEqual([
    0,
    "Published, with changes of name, tagline, operator, colors, fee, texts.\n",
  ]);
  const wanted = JSON.parse(await readFile(relap, "utf8")) as object;
  expect(JSON.parse((await setUp()).said)).toMatchObject(wanted);

  const exported = join(folder, "exported.json");
  expect((await setUp("export", exported)).said).toBe(`The settings are in ${exported}.\n`);
  const { db } = database;
  for (const again of [relap, exported])
    expect(await publishFile(db, again)).toBe("The shop has these settings already.");
  const versions = await db.selectFrom("shop_settings").select("number").execute();
  expect(versions).toEqual([{ number: 1 }]);
  const audit = await db.selectFrom("audit_log").select(["actor_id", "verb", "object"]).execute();
  expect(audit).toEqual([{ actor_id: null, verb: "publish", object: "shop" }]);
});

const wrong: [settings: unknown, sentences: string | string[]][] = [
  ["{", "is not valid JSON."],
  [
    {
      name: "",
      nmae: "Relap",
      operator: { name: "R", address: "", email: "me", registration: "" },
    },
    [
      "Nothing was changed.",
      "name: Enter the name of your shop.",
      "operator.email: Enter an email address, or leave this empty.",
      "There is no setting nmae.",
    ],
  ],
  [[], "The file has no shop settings."],
  [{ nmae: "Relap" }, "The file has no shop settings."],
];

test("setup rejects a missing file and wrong settings with a message for each error, and changes nothing", async () => {
  const { db } = database;
  const before = await exportSettings(db, undefined);
  for (const [settings, sentences] of wrong) {
    const path = await file(settings);
    for (const sentence of [sentences].flat())
      await expect(publishFile(db, path)).rejects.toThrow(sentence);
  }
  await expect(publishFile(db, "none.json")).rejects.toThrow("There is no file none.json.");
  expect(await exportSettings(db, undefined)).toBe(before);
});

test("setup fails for an extra argument, and prints only its usage", async () => {
  const usage = /^Usage: npm run setup -- relap\.json, or .*\n$/;
  expect(await setUp(relap, "now")).toEqual({ code: 1, said: expect.stringMatching(usage) });
});
