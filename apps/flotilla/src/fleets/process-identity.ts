import { readFileSync } from 'node:fs';

/**
 * When a process started, in ticks since the boot of the machine. Undefined if it has ended, or if the system has no `/proc`.
 * Process ids are used again; a pair of id and start is not.
 */
export function processStart(pid: number): string | undefined {
  try {
    return startIn(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return undefined;
  }
}

/** The second field is the program's name in parentheses, and may contain spaces and parentheses. */
export function startIn(stat: string): string | undefined {
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; only its parent has not noticed yet.
  return state === 'Z' || state === 'X' ? undefined : fields[18];
}

/** Whether the process that had this start still runs. */
export function isRunning(pid: number, start: string | undefined): boolean {
  if (start !== undefined) return processStart(pid) === start;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
