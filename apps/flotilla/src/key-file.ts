import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { UserFault } from './user-error.ts';

/** Shorter ones are guessed. */
const fewestBytes = 8;

/** The passphrase or key in a file, without the end of its last line; `-` is the standard input. */
export async function secretIn(file: string | undefined): Promise<Buffer | undefined> {
  if (file === undefined) return undefined;
  const content = await (file === '-' ? buffer(process.stdin) : readFile(file)).catch((error: Error) => {
    throw new UserFault(`cannot read the key file: ${error.message}.`, { cause: error });
  });
  const end = content.at(-1) === 10 ? (content.at(-2) === 13 ? -2 : -1) : content.length;
  const secret = content.subarray(0, end);
  if (secret.length < fewestBytes) {
    throw new UserFault(`${file} holds no passphrase or key of at least ${fewestBytes} bytes.`);
  }
  return secret;
}
