import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What stands beside a bundle: how to enter it, and what it was made from. */
export interface BundleRecord {
  /** File in the bundle's folder. */
  readonly entry: string;
  readonly sources: readonly BundledSource[];
}

export interface BundledSource {
  /** From the bundle's folder. */
  readonly path: string;
  readonly size: number;
  readonly modified: number;
}

export const bundleRecordName = 'bundle.json';

/**
 * Where to enter the bundle in a folder, if there is one and every file that it was made from is as it was. Loading a thousand
 * small files takes longer than everything else that a start does, and looking at each takes a few milliseconds.
 */
export function currentBundle(folder: string): string | undefined {
  const record = readRecord(folder);
  const isCurrent = record?.sources.every((source) => isUnchanged(folder, source));
  return record && isCurrent ? join(folder, record.entry) : undefined;
}

/** How a source looks now, for the record of a bundle that is made from it. */
export function sourceNow(folder: string, path: string): BundledSource {
  const { size, mtimeMs } = statSync(resolve(folder, path));
  return { path, size, modified: mtimeMs };
}

function readRecord(folder: string): BundleRecord | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, bundleRecordName), 'utf8')) as BundleRecord;
  } catch {
    // None was made, or one is being made at this moment: the sources are always there.
    return undefined;
  }
}

function isUnchanged(folder: string, { path, size, modified }: BundledSource): boolean {
  const found = statSync(resolve(folder, path), { throwIfNoEntry: false });
  return found !== undefined && found.size === size && found.mtimeMs === modified;
}
