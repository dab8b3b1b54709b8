import { z } from "zod";

/** Replaces Zod's default messages, such as "Invalid input: expected string". */
z.config({ customError: sentenceOf });

function sentenceOf(issue: z.core.$ZodRawIssue): string {
  const name = (issue.path ?? []).map(String).join(".");
  if (name === "") return "Please send a JSON object.";
  if (issue.code === "invalid_type") {
    return issue.input === undefined
      ? `${name} is missing. Please send it.`
      : `${name} must be ${kinds[issue.expected] ?? "a different type"}.`;
  }
  if (issue.code === "invalid_value") return `${name} must be one of: ${issue.values.join(", ")}.`;
  if (issue.code === "too_small") return `${name} must be at least ${issue.minimum}${unit(issue)}.`;
  if (issue.code === "too_big") return `${name} must be at most ${issue.maximum}${unit(issue)}.`;
  return `${name} is not valid. Please check it.`;
}

const kinds: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

function unit({ origin }: { origin: string }): string {
  if (origin === "string") return " characters long";
  return origin === "array" ? " entries long" : "";
}
