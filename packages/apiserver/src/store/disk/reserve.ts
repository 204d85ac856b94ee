/**
 * Disk space that is kept back, so that a full disk can be emptied through the API: a file beside the database that is removed when
 * the disk is full. It must hold what the write-ahead file may still move into the database, and room for deletes to be written.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What deletes need. */
export const usualReserveBytes = 4 * 1024 * 1024;

/** The size grows in such steps, so that a growing write-ahead file seldom asks for more. */
const stepsInReserve = 4;

interface Need {
  /** Size of the write-ahead file. */
  readonly unfinished: number;
  /** Room in the database that nothing uses. */
  readonly unused: number;
}

/** A quarter is for the write-ahead file of deletes; the rest is what the database may grow by, which unused room spares. */
export function wantedBytes(usual: number, { unfinished, unused }: Need): number {
  const step = usual / stepsInReserve;
  const growth = Math.max(0, unfinished + usual - step - unused);
  return step + Math.ceil(growth / step) * step;
}

export class Reserve {
  readonly #file: string;
  readonly #usual: number;
  #size: number;

  constructor(database: string, usual: number) {
    this.#file = join(dirname(database), 'flotilla.reserve');
    this.#usual = usual;
    this.#size = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Whether there is as much as is needed, or more. */
  covers(need: Need): boolean {
    return this.#size >= wantedBytes(this.#usual, need);
  }

  /**
   * Makes it as large as is needed. `spare` bytes must be free beyond that. Returns whether the disk had the room; if not, the
   * reserve is what could be had, so that no other program takes it.
   */
  make(need: Need, spare = 0): boolean {
    const wanted = wantedBytes(this.#usual, need);
    let descriptor: number;
    try {
      descriptor = openSync(this.#file, 'a', 0o600);
    } catch {
      return false;
    }
    try {
      const isThere = append(descriptor, wanted + spare - this.#size);
      this.#size = Math.min(wanted, fstatSync(descriptor).size);
      ftruncateSync(descriptor, this.#size);
      return isThere;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Gives the room back. */
  release(): void {
    rmSync(this.#file, { force: true });
    this.#size = 0;
  }
}

/** Returns whether the disk took all. Not zeros, nor anything that repeats soon: some disks compress. */
function append(descriptor: number, length: number): boolean {
  if (length <= 0) return true;
  const piece = randomBytes(Math.min(length, 1024 * 1024));
  try {
    for (let written = 0; written < length;) {
      written += writeSync(descriptor, piece, 0, Math.min(piece.length, length - written));
    }
    return true;
  } catch {
    return false;
  }
}
