import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from './make-folders.ts';
import { UserError } from './user-error.ts';

/**
 * Creates a file that only its owner can read. `fill` writes it under another name, so it is either complete or absent.
 * Refuses to overwrite. Returns its size.
 */
export async function makeNewFile(file: string, fill: (partial: string) => Promise<void>): Promise<number> {
  if (existsSync(file)) throw new UserError(`${file} already exists; name another file, or remove it.`);
  const partial = `${file}.partial`;
  makeFolders(dirname(file));
  await (await open(partial, 'w', 0o600)).close();
  try {
    await fill(partial);
    const size = await syncFile(partial);
    await rename(partial, file);
    return size;
  } finally {
    await rm(partial, { force: true });
  }
}

/** Returns its size. */
async function syncFile(file: string): Promise<number> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
    return (await handle.stat()).size;
  } finally {
    await handle.close();
  }
}
