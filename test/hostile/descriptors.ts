import { readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** How many sockets a process holds; undefined where the system does not tell. */
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
    // It was closed between the two looks.
    return false;
  }
}

/** Resolves when a process holds no more sockets than this; the test's own time limits the wait. */
export async function untilSocketsAreBack(pid: number | undefined, before: number | undefined): Promise<void> {
  while ((socketsOf(pid) ?? 0) > (before ?? 0)) await pause(100);
}
