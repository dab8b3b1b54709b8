import crypto, { type BinaryLike, type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const { scrypt } = crypto;

type Done = (error: Error | null, key: Buffer) => void;

/** The cost alone is another: the least there is, for tests sign in hundreds of times. */
function quickly(
  ...[password, salt, length, options, done]: [BinaryLike, BinaryLike, number, ScryptOptions, Done]
): void {
  scrypt(password, salt, length, { ...options, N: 2 }, done);
}

/**
 * Lets this process hash passwords as the program does, thousands of times faster. What the program asks for
 * is looked at in `security/guessing.test.ts`.
 */
export function hashQuickly(): void {
  Object.assign(crypto, { scrypt: quickly });
  syncBuiltinESMExports();
}
