/** The signs a strong password must have one of, and the letters people put them for. */
const letterFor: Record<string, string> = { "@": "a", $: "s", "!": "i" };

let known: Promise<Set<string>> | undefined;

/** What somebody thinks of who thinks of us: no password is one of these words and a number. */
const ours = new Set(["secondlap", "secondlaptop", "laptop", "laptops", "marketplace"]);

/**
 * Whether a password is one of our own words, or one of the 49,233 most used ones: as it stands, without
 * the signs at its ends, or with its signs read as letters, whatever their case; `Password1!` and `P@ssw0rd`
 * are what people make of those.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  known ??= readCommonPasswords();
  const lower = password.toLowerCase();
  const bare = lower.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  const spelled = lower.replaceAll(/[@$!]/g, (sign) => letterFor[sign] ?? sign);
  const common = await known;
  return [lower, bare, spelled].some(
    (form) => common.has(form) || ours.has(form.replaceAll(/[^\p{L}]/gu, "")),
  );
}

/** Two megabytes that only a new password needs. */
async function readCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"]);
}
