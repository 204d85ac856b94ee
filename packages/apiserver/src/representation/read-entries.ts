import type { KubeObject } from '@flotilla/kube';
import type { Call } from '../call/call.ts';
import type { HeavyWork } from '../call/heavy-work.ts';
import { decodeStored } from '../resources/object-bytes.ts';
import type { Entry } from '../store/store.ts';
import { isTooManyParts } from '../resources/too-many-parts.ts';
import { isServedAsStored } from './read-entry.ts';

/** What a caller wants of each object. */
export interface EntryReader<T> {
  readonly here: (object: KubeObject) => T;
  /** For objects whose conversion is too large for this thread. */
  readonly inWorker: (heavy: HeavyWork, entry: Entry) => Promise<T>;
}

/** A conversion webhook gets up to so many bytes of stored objects in one call. Ordinary ones have some 10,000 values. */
const pieceBytes = 64 * 1024;

/** Reads many objects. The webhook converts them in pieces, each with one call. */
export async function readEntries<T>(call: Call, entries: readonly Entry[], reader: EntryReader<T>): Promise<T[]> {
  const { resource, server } = call;
  const { turns, heavy } = server;
  const results: T[] = [];
  for (const piece of piecesOf(call, entries)) {
    const converted = await convertedHere(call, piece);
    const next = converted?.values();
    for (const entry of piece) {
      if (heavy && !converted) {
        results.push(await reader.inWorker(heavy, entry));
        continue;
      }
      const object = isServedAsStored(resource, entry) ? decodeStored(entry.bytes) : next?.next().value;
      if (!object) throw new Error('a stored object could not be read');
      results.push(reader.here(object));
      if (turns.isOverAfter(entry.bytes.length)) await turns.next();
    }
  }
  return results;
}

/** Consecutive entries that are together small enough, or one that is not. */
function* piecesOf({ server: { heavy } }: Call, entries: readonly Entry[]): Generator<readonly Entry[]> {
  let piece: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const { length } = entry.bytes;
    const isHeavy = heavy?.isHeavy(length) === true;
    if (piece.length > 0 && (bytes + length > pieceBytes || isHeavy)) {
      yield piece;
      piece = [];
      bytes = 0;
    }
    if (isHeavy) {
      yield [entry];
      continue;
    }
    piece.push(entry);
    bytes += length;
  }
  if (piece.length > 0) yield piece;
}

/** The objects of the piece that must be converted. Undefined if the worker reads the piece, one object at a time. */
async function convertedHere(
  { resource, server: { heavy } }: Call,
  piece: readonly Entry[],
): Promise<readonly KubeObject[] | undefined> {
  if (piece.some(({ bytes }) => heavy?.isHeavy(bytes.length))) return undefined;
  const others = piece.filter((entry) => !isServedAsStored(resource, entry));
  try {
    return await resource.storedForm?.read(others);
  } catch (error) {
    if (heavy && isTooManyParts(error)) return undefined;
    throw error;
  }
}
