import { readFile } from 'node:fs/promises';
import { UserFault } from './user-error.ts';

/** The content of a file that somebody named. */
export function readNamedFile(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new UserFault(`cannot read ${file}: ${error.message}.`, { cause: error });
  });
}
