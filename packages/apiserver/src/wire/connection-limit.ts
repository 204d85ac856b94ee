import { readdirSync, readFileSync } from 'node:fs';

/** Descriptors for files, threads and outgoing connections. */
const reservedDescriptors = 64;
/** The share of all descriptors that is reserved if it is larger. */
const reservedShare = 1 / 8;
const minConnections = 8;

/**
 * The connections that a process with `openFiles` descriptors may accept. Without this limit clients could take the last one:
 * the system would then silently close new connections, and the store could not open its files.
 */
export function connectionLimit(openFiles: number, inUse: number): number {
  return Math.max(
    minConnections,
    Math.floor(openFiles - inUse - Math.max(reservedDescriptors, openFiles * reservedShare)),
  );
}

/** Returns undefined if the system has no limit, or does not report it. */
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
