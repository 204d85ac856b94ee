import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UserFault } from './user-error.ts';

/**
 * Makes a file that nobody else can read and that is either whole or not there: `fill` writes it under another name. An
 * existing file is left alone. Returns its size.
 */
export async function makeNewFile(file: string, fill: (partial: string) => Promise<void>): Promise<number> {
  if (existsSync(file)) throw new UserFault(`${file} exists and is not overwritten; name another file or remove it.`);
  const partial = `${file}.partial`;
  await mkdir(dirname(file), { recursive: true });
  await (await open(partial, 'w', 0o600)).close();
  try {
    await fill(partial);
    const size = await synced(partial);
    await rename(partial, file);
    return size;
  } finally {
    await rm(partial, { force: true });
  }
}

async function synced(file: string): Promise<number> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}
