/** Signs often used as letters, as in `P@ssword1`. */
const letterFor: Record<string, string> = { "@": "a", $: "s", "!": "i" };

/** Not allowed as a password, even with digits or signs added. */
const siteWords = new Set(["secondlap", "secondlaptop", "laptop", "laptops", "marketplace"]);

let loading: Promise<Set<string>> | undefined;

/**
 * Whether the password is common or based on a word of this site. Ignores case, and signs at
 * the ends (`Password1!`) or used as letters (`P@ssword`).
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  loading ??= readCommonPasswords();
  const lower = password.toLowerCase();
  const withoutEnd = lower.replace(/[^\p{L}\p{N}]+$/u, "");
  const trimmed = withoutEnd.replace(/^[^\p{L}\p{N}]+/u, "");
  const forms = [lower, withoutEnd, trimmed];
  const spelled = forms.map((form) => form.replaceAll(/[@$!]/g, (sign) => letterFor[sign] ?? sign));
  const common = await loading;
  return [...forms, ...spelled].some(
    (form) => common.has(form) || siteWords.has(form.replaceAll(/[^\p{L}]/gu, "")),
  );
}

async function readCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"]);
}
