import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** The number of open sockets of a process. Undefined if the system does not report it. */
export function socketsOf(pid: number | undefined): number | undefined {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).filter((each) => isSocket(`${folder}/${each}`)).length;
  } catch {
    return undefined;
  }
}

function isSocket(file: string): boolean {
  try {
    return readlinkSync(file).startsWith('socket:');
  } catch {
    // It was closed between readdir and readlink.
    return false;
  }
}

/** Resolves when a process has at most this many sockets. The timeout of the test limits the wait. */
export async function untilSocketsAreBack(pid: number | undefined, before: number | undefined): Promise<void> {
  while ((socketsOf(pid) ?? 0) > (before ?? 0)) await pause(100);
}
