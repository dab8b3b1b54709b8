import { expect, test } from "vitest";
import { readAmount, readChoices } from "./choices.ts";

const known = ["kill-node", "deploy", "stop-replay"] as const;

test("readChoices returns each chosen name once, in the order of the known names", () => {
  expect(readChoices("faults", "deploy, kill-node,deploy", known)).toEqual(["kill-node", "deploy"]);
});

test.for([
  ["kill", 'there is no "kill"'],
  ["deploy,kill-nod,cut", 'there is no "kill-nod", "cut"'],
  ["", 'there is no ""'],
  ["deploy,", 'there is no ""'],
])("readChoices rejects %j and lists the known names", ([given = "", sentence = ""]) => {
  const read = () => readChoices("faults", given, known);
  expect(read).toThrow(sentence);
  expect(read).toThrow("but kill-node, deploy, stop-replay.");
});

test("readAmount rejects amounts that are not numbers above 0", () => {
  expect(readAmount("minutes", "0.5")).toBe(0.5);
  for (const given of ["0", "-1", "", "ten", "Infinity"])
    expect(() => readAmount("minutes", given)).toThrow("--minutes");
});
