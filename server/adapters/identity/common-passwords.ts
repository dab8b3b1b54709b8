/** Letters that people replace with the special characters a strong password must have. */
const letterFor: Record<string, string> = { "@": "a", $: "s", "!": "i" };

let loading: Promise<Set<string>> | undefined;

/** A password must not be one of these words about this site, even with digits added. */
const siteWords = new Set(["secondlap", "secondlaptop", "laptop", "laptops", "marketplace"]);

/**
 * Whether a password is one of the 49,233 most common passwords or a word about this site, ignoring
 * case. Also checks the password without special characters at the ends (`Password1!`), and with
 * letters in their place (`P@ssword`).
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  loading ??= readCommonPasswords();
  const lower = password.toLowerCase();
  const trimmed = lower.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
  const spelled = lower.replaceAll(/[@$!]/g, (sign) => letterFor[sign] ?? sign);
  const common = await loading;
  return [lower, trimmed, spelled].some(
    (form) => common.has(form) || siteWords.has(form.replaceAll(/[^\p{L}]/gu, "")),
  );
}

/** Loaded on first use, because the list takes two megabytes. */
async function readCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"]);
}
