import { spawn, type ChildProcess } from 'node:child_process';
import { open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from '../make-folders.ts';
import { UserError } from '../user-error.ts';
import type { ReportEvent } from './print-events.ts';
import type { UpEvent } from './up-event.ts';

/** Set for the process in the background. Its value is the file that it logs to. */
const logVariable = 'FLOTILLA_BACKGROUND_LOG';

/** The log of this process if it is the one in the background. Programs that it starts must not see the variable. */
export function takeBackgroundLog(): string | undefined {
  const log = process.env[logVariable];
  delete process.env[logVariable];
  return log;
}

/** Reports events to the command that started this process, until the fleet is ready or that command has ended. */
export const reportToParent: ReportEvent = (event) => {
  if (!process.connected) return;
  process.send?.(event, undefined, {}, () => {
    if ('ready' in event && process.connected) process.disconnect?.();
  });
};

interface BackgroundLog {
  readonly log: string;
  /** The log is in the data directory. */
  readonly isInData: boolean;
}

/** Runs the same command again in a process that outlives this one. Resolves when the fleet is ready. */
export async function runInBackground({ log, isInData }: BackgroundLog, report: ReportEvent): Promise<void> {
  const file = await openLog(log, isInData);
  const output = file?.fd ?? 'ignore';
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    detached: true,
    stdio: ['ignore', output, output, 'ipc'],
    env: { ...process.env, [logVariable]: log },
  });
  const interrupt = (): void => void child.kill('SIGTERM');
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    await untilReady(child, log, report);
    child.unref();
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
    await file?.close();
  }
}

async function openLog(log: string, isInData: boolean): Promise<FileHandle | undefined> {
  let hasFolder = false;
  try {
    makeFolders(dirname(log), 0o700);
    hasFolder = true;
    return await open(log, 'w', 0o600);
  } catch (error) {
    // The fleet will not start either, and knows better why.
    if (isInData && !hasFolder) return undefined;
    const advice = isInData
      ? 'name another directory with --data-dir'
      : 'set XDG_STATE_HOME to a folder that is writable';
    throw new UserError(`cannot write the log: ${(error as Error).message}; ${advice}.`, { cause: error });
  }
}

function untilReady(child: ChildProcess, log: string, report: ReportEvent): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (message: string): void => reject(new UserError(message));
    child.on('message', (message) => {
      const event = message as UpEvent;
      report(event);
      if ('ready' in event) resolve();
      if ('failed' in event) fail(event.failed);
    });
    child.on('error', (error) => fail(`cannot start a process in the background: ${error.message}.`));
    child.on('exit', (code, signal) => fail(`the fleet ended with ${signal ?? `status ${code}`}; its log is ${log}.`));
  });
}
