import { readdirSync, readFileSync } from 'node:fs';

/** Descriptors that stay free for files, threads and connections of our own. */
const reserve = 64;
/** And this part of all. */
const reservedShare = 1 / 8;
const fewest = 8;

/**
 * How many connections a process may hold that has so many descriptors. Without a limit of ours the last descriptor goes to a
 * client: the system then closes new connections without a word, and the store cannot open its files.
 */
export function connectionLimit(openFiles: number, inUse: number): number {
  return Math.max(fewest, Math.floor(openFiles - inUse - Math.max(reserve, openFiles * reservedShare)));
}

/** Undefined where the system does not tell, or knows no limit. */
export function ownConnectionLimit(): number | undefined {
  try {
    const [, openFiles] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return openFiles === undefined
      ? undefined
      : connectionLimit(Number(openFiles), readdirSync('/proc/self/fd').length);
  } catch {
    return undefined;
  }
}
