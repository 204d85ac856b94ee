import { readFile } from 'node:fs/promises';

/** Objects that every server with housekeeping has, and those that a hub or an embedded member with the default nodes adds. */
export type PreparedPart = 'server' | 'hub' | 'member';

export const preparedParts: readonly PreparedPart[] = ['server', 'hub', 'member'];

/** Reads what `prepareObjects` wrote down. Returns undefined if there is none: then the objects are created with requests. */
export type ReadPrepared = (part: PreparedPart) => Promise<string | undefined>;

/** The name of the file in the folder of a bundle. */
export function preparedFileName(part: PreparedPart): string {
  return `${part}.objects`;
}

/** The files are beside the bundled program. A program that runs from its sources has none. */
export const readPreparedFile: ReadPrepared = (part) =>
  readFile(new URL(`./${preparedFileName(part)}`, import.meta.url), 'utf8').catch(() => undefined);
