import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where `npm run clients` puts clients. */
export const clientsFolder: string = resolve(import.meta.dirname, '../../.clients');

/**
 * Undefined when the client is there, else a sentence for whoever wants to run the tests that need it. Clients that others publish
 * are installed by name.
 */
export function missingClient(file: string, name?: string): string | undefined {
  if (existsSync(join(clientsFolder, file))) return undefined;
  return name === undefined
    ? `.clients/${file} is not built; run: npm run clients`
    : `it is not installed; run: npm run clients -- ${name}`;
}
