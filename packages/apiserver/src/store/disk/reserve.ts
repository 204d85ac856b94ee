/**
 * Disk space kept back, so that users can free a full disk through the API: a file beside the database that is removed when
 * the disk is full. It covers what the write-ahead file may still move into the database, and the writes of deletes.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, ftruncateSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Enough for the writes of deletes. */
export const defaultReserveBytes = 4 * 1024 * 1024;

/** The size grows in steps, so that a growing write-ahead file seldom resizes the reserve. */
const stepsInReserve = 4;

interface Need {
  /** Size of the write-ahead file. */
  readonly wal: number;
  /** Bytes of free pages in the database. */
  readonly free: number;
}

/** A quarter is for the write-ahead file of deletes. The rest is what the database may grow by, less its free pages. */
export function wantedBytes(usual: number, { wal, free }: Need): number {
  const step = usual / stepsInReserve;
  const growth = Math.max(0, wal + usual - step - free);
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

  /** Whether the reserve is large enough. */
  covers(need: Need): boolean {
    return this.#size >= wantedBytes(this.#usual, need);
  }

  /**
   * Grows or shrinks the reserve to the needed size. `spare` bytes must be free beyond that. Returns whether the disk had the
   * room. If not, the reserve takes what is left, so that no other program does.
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
      const hadRoom = append(descriptor, wanted + spare - this.#size);
      this.#size = Math.min(wanted, fstatSync(descriptor).size);
      ftruncateSync(descriptor, this.#size);
      return hadRoom;
    } finally {
      closeSync(descriptor);
    }
  }

  /** Frees the reserved space. */
  release(): void {
    rmSync(this.#file, { force: true });
    this.#size = 0;
  }
}

/** Returns whether the disk took all. Writes random bytes, because some disks compress. */
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
