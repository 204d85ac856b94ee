import { readFile } from 'node:fs/promises';
import { UserError } from './user-error.ts';

/** Reads a file that the user named. */
export function readNamedFile(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new UserError(`cannot read ${file}: ${error.message}.`, { cause: error });
  });
}
