import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UserError } from './user-error.ts';

/** What a module of the user's exports. `name` is a file, or a package that resolves from the working directory. */
export async function importModule(name: string, what: string): Promise<Readonly<Record<string, unknown>>> {
  const isFile = /^[./]|^[A-Za-z]:[\\/]/.test(name);
  try {
    const file = isFile ? resolve(name) : createRequire(resolve('flotilla.js')).resolve(name);
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (error) {
    throw new UserError(`cannot load the ${what} ${name}: ${(error as Error).message}.`, { cause: error });
  }
}
