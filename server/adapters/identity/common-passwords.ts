/** Signs often used as letters, as in `P@ssword1`. */
const letterFor: Record<string, string> = { "@": "a", $: "s", "!": "i" };

/** Not allowed as a password, even with digits or signs added. */
const siteWords = new Set(["secondlap", "secondlaptop", "laptop", "laptops", "marketplace"]);

let loading: Promise<Set<string>> | undefined;

/** Whether the password is a word of this site, with or without digits and signs. */
export function isSiteWord(password: string): boolean {
  return spellingsOf(password).some((form) => siteWords.has(form.replaceAll(/[^\p{L}]/gu, "")));
}

/** Whether the list of common passwords has one of the password's spellings. */
export async function isCommonPassword(password: string): Promise<boolean> {
  loading ??= readCommonPasswords();
  const common = await loading;
  return spellingsOf(password).some((form) => common.has(form));
}

/** In lower case, without signs at the ends (`Password1!`) or used as letters (`P@ssword`). */
function spellingsOf(password: string): string[] {
  const lower = password.toLowerCase();
  const withoutEnd = lower.replace(/[^\p{L}\p{N}]+$/u, "");
  const trimmed = withoutEnd.replace(/^[^\p{L}\p{N}]+/u, "");
  const forms = [lower, withoutEnd, trimmed];
  const spelled = forms.map((form) => form.replaceAll(/[@$!]/g, (sign) => letterFor[sign] ?? sign));
  return [...forms, ...spelled];
}

async function readCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import("@zxcvbn-ts/language-common");
  return new Set(dictionary["passwords-common"]);
}
