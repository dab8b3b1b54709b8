/** Gmail ignores dots in names. */
const gmail = new Set(["gmail.com", "googlemail.com"]);

/**
 * Returns a lowercase address without a "+" tag and, at Gmail, without dots, like `mailbox_of` in
 * SQL.
 */
export function mailboxOf(address: string): string {
  const [before = "", domain = ""] = address.toLowerCase().split("@");
  const [name = ""] = before.split("+");
  return gmail.has(domain) ? `${name.replaceAll(".", "")}@gmail.com` : `${name}@${domain}`;
}

/** Whether the address is disposable. The first call loads the list of domains. */
export async function isDisposable(address: string): Promise<boolean> {
  const domain = address.toLowerCase().split("@").at(-1) ?? "";
  domains ??= loadDomains().catch((error: unknown) => {
    domains = undefined;
    throw error;
  });
  const known = await domains;
  return domain.split(".").some((_, index, parts) => known.has(parts.slice(index).join(".")));
}

let domains: Promise<ReadonlySet<string>> | undefined;

async function loadDomains(): Promise<ReadonlySet<string>> {
  const { default: list } = await import("disposable-email-domains", { with: { type: "json" } });
  return new Set(list);
}

/** Returns, for example, `fr•••@example.com`. */
export function hideMost(address: string): string {
  const [name = "", domain = ""] = address.split("@");
  return `${[...name].slice(0, 2).join("")}•••@${domain}`;
}

/** Mail providers, whose users may be strangers, and domains reserved for examples (RFC 2606). */
const shared = new Set(
  `gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com ymail.com rocketmail.com aol.com icloud.com
  me.com mac.com proton.me protonmail.com pm.me fastmail.com zoho.com mail.com gmx.com gmx.de gmx.net gmx.at gmx.ch web.de
  t-online.de freenet.de posteo.de mailbox.org orange.fr wanadoo.fr free.fr sfr.fr laposte.net libero.it virgilio.it
  tiscali.it alice.it mail.ru yandex.ru yandex.com rambler.ru ukr.net wp.pl onet.pl interia.pl o2.pl seznam.cz centrum.cz
  abv.bg qq.com 163.com 126.com sina.com foxmail.com naver.com daum.net hanmail.net rediffmail.com comcast.net verizon.net
  att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net optonline.net shaw.ca rogers.com sympatico.ca
  telus.net btinternet.com sky.com virginmedia.com ntlworld.com bigpond.com optusnet.com.au uol.com.br bol.com.br
  terra.com.br hey.com tutanota.com tuta.io duck.com example.com example.org example.net`.split(
    /\s+/,
  ),
);

/** Mail providers that have a domain for each country. */
const sharedNames = new Set(["yahoo", "hotmail", "outlook", "live"]);

/**
 * Returns the registered domain, or undefined if strangers share it. A second level of at most
 * three letters, as in co.uk, counts as part of a country's domain.
 */
export function ownDomainOf(address: string): string | undefined {
  const labels = address.toLowerCase().split("@").at(-1)?.split(".") ?? [];
  const [second = "", top = ""] = labels.slice(-2);
  const depth = top.length === 2 && second.length <= 3 && labels.length > 2 ? 3 : 2;
  const domain = labels.slice(-depth).join(".");
  return shared.has(domain) || sharedNames.has(domain.split(".")[0] ?? "") ? undefined : domain;
}
