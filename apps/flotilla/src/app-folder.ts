import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the command is installed, whether it runs from its sources or from its bundle. */
export function appFolder(): string {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'bin', 'flotilla'))) {
    if (folder === dirname(folder)) throw new Error(`${import.meta.dirname} is in no installation of flotilla`);
    folder = dirname(folder);
  }
  return folder;
}
