import { watch } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { LogsOptions } from '../commands/logs.ts';
import { UserError } from '../user-error.ts';
import { findRunningFleet } from './find-running-fleet.ts';
import type { FleetRecord } from './fleet-record.ts';
import { isRunning } from './process-identity.ts';

/** Prints the log of a fleet in the background. */
export async function printLog({ follow, tail, ...flags }: LogsOptions): Promise<void> {
  const fleet = await findRunningFleet(flags);
  if (fleet.log === undefined) {
    throw new UserError(`fleet "${fleet.name}" runs in a terminal, which shows its log: process ${fleet.pid}.`);
  }
  const file = await open(fleet.log).catch((error: Error) => {
    throw new UserError(`cannot read the log of fleet "${fleet.name}": ${error.message}.`, { cause: error });
  });
  try {
    let position = await printFrom(file, tail === undefined ? 0 : await startOfLines(file, tail));
    if (follow) for await (const _ of growthOf(fleet, fleet.log)) position = await printFrom(file, position);
  } finally {
    await file.close();
  }
}

const blockBytes = 64 * 1024;
/** Lines before these are not looked for. */
const maxTailBytes = 16 * 1024 * 1024;
const newline = 0x0a;

/** Prints the rest of the file, and returns its end. */
async function printFrom(file: FileHandle, from: number): Promise<number> {
  let position = from;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(blockBytes), 0, blockBytes, position);
    if (bytesRead === 0) return position;
    process.stdout.write(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

/** Where the last `count` lines begin. */
async function startOfLines(file: FileHandle, count: number): Promise<number> {
  const { size } = await file.stat();
  const length = Math.min(size, maxTailBytes);
  const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
  let start = length;
  for (let lines = 0; lines < count && start > 0; lines++) start = buffer.lastIndexOf(newline, start - 2) + 1;
  return size - length + start;
}

const checkAfterMs = 500;

/** Yields when the log may have grown, and a last time after the fleet has stopped. */
async function* growthOf({ pid, processStart }: FleetRecord, log: string): AsyncGenerator<void, void> {
  let changed = Promise.withResolvers<void>();
  const watcher = watch(log, () => changed.resolve());
  try {
    while (isRunning(pid, processStart)) {
      await Promise.race([changed.promise, pause(checkAfterMs)]);
      changed = Promise.withResolvers<void>();
      yield;
    }
    yield;
  } finally {
    watcher.close();
  }
}
