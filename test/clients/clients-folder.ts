import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder that `npm run clients` installs clients in. */
export const clientsFolder: string = resolve(import.meta.dirname, '../../.clients');

/**
 * Undefined if the client is installed, otherwise how to install it. Published clients are installed by name.
 */
export function missingClient(file: string, name?: string): string | undefined {
  if (existsSync(join(clientsFolder, file))) return undefined;
  return name === undefined
    ? `.clients/${file} is not built; run: npm run clients`
    : `it is not installed; run: npm run clients -- ${name}`;
}
