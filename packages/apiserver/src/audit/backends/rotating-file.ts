import {
  closeSync,
  createReadStream,
  createWriteStream,
  fstatSync,
  openSync,
  renameSync,
  write,
  writeSync,
} from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { makeFolders } from '../../store/disk/make-folders.ts';
import type { LogOutput } from './log-backend.ts';

export interface RotatingFileOptions {
  readonly path: string;
  /** A file that would become larger is renamed, and a new one begun. 0: never. */
  readonly maxBytes: number;
  /** Renamed files to keep. 0: all. */
  readonly maxBackups: number;
  /** Days to keep renamed files. 0: forever. */
  readonly maxAgeDays: number;
  readonly compress: boolean;
  readonly now: () => Date;
  /** A renamed file could not be compressed or removed. */
  readonly failed: (error: unknown) => void;
}

const dayMs = 24 * 3600 * 1000;

/** A log file. Renamed files have the time in their name: `audit-2026-11-16T05-50-18.123.log`. */
export class RotatingFile implements LogOutput {
  readonly #options: RotatingFileOptions;
  #descriptor: number;
  #size: number;
  #tidying: Promise<void> = Promise.resolve();

  constructor(options: RotatingFileOptions) {
    this.#options = options;
    makeFolders(dirname(options.path));
    this.#descriptor = this.#open();
    this.#size = fstatSync(this.#descriptor).size;
  }

  /** Only the owner may read what users do. */
  #open(): number {
    return openSync(this.#options.path, 'a', 0o600);
  }

  readonly write = (text: string): void => {
    const bytes = Buffer.from(text);
    this.#makeRoom(bytes.length);
    for (let at = 0; at < bytes.length;) at += writeSync(this.#descriptor, bytes, at);
  };

  readonly append = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    this.#makeRoom(bytes.length);
    for (let at = 0; at < bytes.length;) at += await this.#writeSome(bytes, at);
  };

  #writeSome(bytes: Buffer, at: number): Promise<number> {
    return new Promise((resolve, reject) => {
      write(this.#descriptor, bytes, at, (error, written) => (error ? reject(error) : resolve(written)));
    });
  }

  readonly close = async (): Promise<void> => {
    closeSync(this.#descriptor);
    await this.#tidying;
  };

  #makeRoom(length: number): void {
    const { maxBytes } = this.#options;
    if (maxBytes > 0 && this.#size > 0 && this.#size + length > maxBytes) this.#rotate();
    this.#size += length;
  }

  #rotate(): void {
    const { path, now, failed } = this.#options;
    const time = now();
    const moved = join(dirname(path), `${this.#prefix}${stamp(time)}${extname(path)}`);
    renameSync(path, moved);
    const old = this.#descriptor;
    this.#descriptor = this.#open();
    this.#size = 0;
    closeSync(old);
    this.#tidying = this.#tidying.then(() => this.#tidy(time)).catch(failed);
  }

  get #prefix(): string {
    const { path } = this.#options;
    return `${basename(path, extname(path))}-`;
  }

  /** Removes renamed files that are too many or too old, and compresses the rest. */
  async #tidy(now: Date): Promise<void> {
    const { path, maxBackups, maxAgeDays, compress } = this.#options;
    const newestFirst = (await this.#backups()).toSorted((one, other) => (one.time < other.time ? 1 : -1));
    const oldest = stamp(new Date(now.getTime() - maxAgeDays * dayMs));
    for (const [index, { name, time }] of newestFirst.entries()) {
      const file = join(dirname(path), name);
      const isTooMany = maxBackups > 0 && index >= maxBackups;
      if (isTooMany || (maxAgeDays > 0 && time < oldest)) await rm(file, { force: true });
      else if (compress && !name.endsWith('.gz')) await compressed(file);
    }
  }

  async #backups(): Promise<{ readonly name: string; readonly time: string }[]> {
    const { path } = this.#options;
    const end = extname(path);
    const names = await readdir(dirname(path));
    return names.flatMap((name) => {
      const plain = name.endsWith('.gz') ? name.slice(0, -'.gz'.length) : name;
      if (!plain.startsWith(this.#prefix) || !plain.endsWith(end)) return [];
      const time = plain.slice(this.#prefix.length, plain.length - end.length);
      return stampForm.test(time) ? [{ name, time }] : [];
    });
  }
}

const stampForm = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}$/;

function stamp(time: Date): string {
  return time.toISOString().slice(0, -1).replaceAll(':', '-');
}

/** A file that is only half compressed has another name, so that nothing takes it for whole. */
async function compressed(file: string): Promise<void> {
  const part = `${file}.gz.part`;
  await pipeline(createReadStream(file), createGzip(), createWriteStream(part, { mode: 0o600 }));
  await rename(part, `${file}.gz`);
  await rm(file, { force: true });
}
