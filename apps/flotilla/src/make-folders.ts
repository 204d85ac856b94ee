import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and missing ones above it. Node's own `recursive` never returns where a folder cannot be made although its
 * parent exists, as below `/proc`. The API server has the same for its data; the agent, which writes files too, must not load it.
 */
export function makeFolders(folder: string, mode = 0o777): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(folder).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(folder))) throw error;
    makeFolders(dirname(folder), mode);
    makeFolders(folder, mode);
  }
}
