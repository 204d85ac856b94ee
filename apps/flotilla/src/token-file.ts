import { parseTokenFile, type ServerOptions } from '@flotilla/fleet/server';
import { readNamedFile } from './named-file.ts';
import { UserFault } from './user-error.ts';

/** Who may come in with which token. */
export async function readTokenFile(file: string): Promise<NonNullable<ServerOptions['staticTokens']>> {
  const content = await readNamedFile(file);
  try {
    return parseTokenFile(content);
  } catch (error) {
    throw new UserFault(`${file}: ${(error as Error).message}.`, { cause: error });
  }
}
