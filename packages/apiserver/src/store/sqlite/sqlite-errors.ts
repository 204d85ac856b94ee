/** SQLite's answers in our words. */
import { UnusableDatabase } from '../disk/database-header.ts';

const busy = 5;
const full = 13;
/** A disk without room says so in several ways; a quota is told as this. */
const failed = 10;
/** A wrong page, a file that is no database, a missing table. */
const damage = [11, 26, 1];

/** A row whose content is not what was written. */
export class WrongChecksum extends Error {
  override readonly name = 'WrongChecksum';
}

/** Another process has the file. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === busy;
}

/** The disk has no room, or refuses for another reason that may pass. */
export function isFull(error: unknown): boolean {
  const code = primaryCode(error);
  return code === full || code === failed;
}

/** What to tell those whose write the disk refused. */
export function refusedWrite(error: unknown): string {
  const what =
    primaryCode(error) === full ? 'the disk is full' : `the disk refuses writes (${(error as Error).message})`;
  return `the write was not stored: ${what}`;
}

/** The same error, or what is wrong with the file if it is damage. */
export function asDamage(file: string, error: unknown): Error {
  const isDamage = error instanceof WrongChecksum || damage.includes(primaryCode(error) ?? 0);
  const { message } = error as Error;
  return isDamage ? new UnusableDatabase(file, `is damaged (${message})`) : (error as Error);
}

function primaryCode(error: unknown): number | undefined {
  const code = (error as { errcode?: number }).errcode;
  return code === undefined ? undefined : code & 0xff;
}
