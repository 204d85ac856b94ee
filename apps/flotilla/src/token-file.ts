import { parseTokenFile, type ServerOptions } from '@flotilla/fleet/server';
import { readNamedFile } from './named-file.ts';
import { UserError } from './user-error.ts';

/** Reads static tokens, one user on each line. */
export async function readTokenFile(file: string): Promise<NonNullable<ServerOptions['staticTokens']>> {
  const content = await readNamedFile(file);
  try {
    return parseTokenFile(content);
  } catch (error) {
    throw new UserError(`${file}: ${(error as Error).message}.`, { cause: error });
  }
}
