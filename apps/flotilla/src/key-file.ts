import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { UserError } from './user-error.ts';

/** Shorter passphrases are easy to guess. */
const minBytes = 8;

/** The passphrase or key in a file, without its last line break. `-` is standard input. */
export async function secretIn(file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  const content = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch((error: Error) => {
    throw new UserError(`cannot read the key file: ${error.message}.`, { cause: error });
  });
  const end = content.at(-1) === 10 ? (content.at(-2) === 13 ? -2 : -1) : content.length;
  const secret = content.subarray(0, end);
  if (secret.length < minBytes) {
    throw new UserError(`${file} must contain a passphrase or key of at least ${minBytes} bytes.`);
  }
  return secret;
}
