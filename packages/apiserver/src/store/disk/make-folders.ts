import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder that only its owner can read, and missing ones above it. Node's own way to do that never returns where a folder
 * cannot be made although its parent exists, as below `/proc`.
 */
export function makeFolders(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(folder))) throw error;
    makeFolders(dirname(folder));
    makeFolders(folder);
  }
}
