/** Classifies SQLite's errors. */
import { UnusableDatabase } from '../disk/database-header.ts';

const busy = 5;
const full = 13;
/** I/O error. A disk without room has several codes; an exceeded quota has this one. */
const failed = 10;
/** A broken page, a file that is not a database, a missing table. */
const damage = [11, 26, 1];

/** The content of a row differs from what was written. */
export class WrongChecksum extends Error {
  override readonly name = 'WrongChecksum';
}

/** Whether another process has locked the file. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === busy;
}

/** Whether the disk has no room, or refuses for another reason that may pass. */
export function isFull(error: unknown): boolean {
  const code = primaryCode(error);
  return code === full || code === failed;
}

/** The message of a write that the disk refused. */
export function refusedWrite(error: unknown): string {
  const what =
    primaryCode(error) === full ? 'the disk is full' : `the disk refuses writes (${(error as Error).message})`;
  return `the write was not stored: ${what}`;
}

/** `UnusableDatabase` if the error means damage, otherwise the error itself. */
export function asDamage(file: string, error: unknown): Error {
  const isDamage = error instanceof WrongChecksum || damage.includes(primaryCode(error) ?? 0);
  const { message } = error as Error;
  return isDamage ? new UnusableDatabase(file, `is damaged (${message})`) : (error as Error);
}

function primaryCode(error: unknown): number | undefined {
  const code = (error as { errcode?: number }).errcode;
  return code === undefined ? undefined : code & 0xff;
}
