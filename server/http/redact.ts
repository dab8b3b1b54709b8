import { format } from "node:util";

/** Removes email addresses, tokens, keys, query strings, and passwords in URLs. */
export function redact(text: string): string {
  return text
    .replaceAll(/[^\s"'<>()=:/?&]+(?:@|%40)[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)+/gu, "[address]")
    .replaceAll(
      /\b(Bearer )[^\s"\\]+|\beyJ[\w.-]+|\b(?:sk|rk|whsec)_\w+|_secret_\w+/g,
      "$1[secret]",
    )
    .replaceAll(/(\w+:\/\/)[^\s/@"\\]+@/g, "$1[secret]@")
    .replaceAll(/\?[\w.-]+=[^\s"'\\]*/g, "?[query]")
    .replaceAll(/\b((?:state|token)["']?\s*[=:]\s*["']?|code=)[\w-]{16,}/g, "$1[secret]");
}

/** Redacts what libraries write to the console, and sends it to standard error. */
export function redactConsole(): void {
  const write = (...args: unknown[]) => void process.stderr.write(`${redact(format(...args))}\n`);
  for (const level of ["error", "warn", "info", "log", "debug"] as const) console[level] = write;
}
