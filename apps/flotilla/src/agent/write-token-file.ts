import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Only its owner can read it, and nobody who reads it again and again finds half a token. */
export async function writeTokenFile(file: string, token: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const partial = `${file}.${process.pid}.partial`;
  await writeFile(partial, token, { mode: 0o600 });
  await rename(partial, file);
}
