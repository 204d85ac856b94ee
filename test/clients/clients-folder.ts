import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where `npm run clients` puts the clients that it builds. */
export const clientsFolder: string = resolve(import.meta.dirname, '../../.clients');

/** Undefined when the client was built, else a sentence for whoever wants to run the tests that need it. */
export function missingClient(name: string): string | undefined {
  return existsSync(join(clientsFolder, name)) ? undefined : `.clients/${name} is not built; run: npm run clients`;
}
