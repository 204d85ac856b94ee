import { realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from './make-folders.ts';

/**
 * Replaces a file atomically, readable by its owner only. Follows links. Writes to a device or a pipe without replacing
 * it.
 */
export async function replaceFile(name: string, text: string): Promise<void> {
  makeFolders(dirname(name));
  const file = await realpath(name).catch(() => name);
  const found = await stat(file).catch(() => undefined);
  if (found && !found.isFile()) return writeFile(file, text);
  const partial = `${file}.${process.pid}.partial`;
  await writeFile(partial, text, { mode: 0o600 });
  await rename(partial, file);
}
