/** Hashes what a placement selected, and measures it, object by object: all content together may be large. */
import { createHash } from 'node:crypto';
import type { PlacedResource } from '@flotilla/api';
import { goJsonChunks, type JsonObject, type Kind, type KubeObject, type ObjectKey } from '@flotilla/kube';
import type { Steps } from '@flotilla/timing';
import { envelopeTypeOf } from '../../family/envelope.ts';
import { contentOf } from './content.ts';
import type { SelectedKind } from './select-objects.ts';

/** A selected object, without its content. */
export interface DigestedObject {
  readonly kind: Kind;
  readonly key: ObjectKey;
  readonly resourceVersion: string | undefined;
  /** Of the content. */
  readonly digest: string;
}

export interface DigestedObjects {
  readonly objects: readonly DigestedObject[];
  readonly identifiers: readonly PlacedResource[];
  readonly sizes: readonly number[];
  readonly envelopes: number;
  readonly hash: string;
}

/** KubeFleet reads objects into Go's maps, which keep no text of numbers. */
const unspelled = { keepSpelling: false };

/** A long string is one chunk, and two hashes of a mebibyte take five milliseconds. */
const bytesPerStep = 256 * 1024;

/**
 * Yields often. An object that was deleted since it was selected is left out, and one that changed is taken as it is now: both
 * changes cause another selection.
 */
export function* digestObjects(
  kinds: readonly SelectedKind[],
  get: (kind: Kind, key: ObjectKey) => Readonly<KubeObject> | undefined,
): Steps<DigestedObjects> {
  const objects: DigestedObject[] = [];
  const identifiers: PlacedResource[] = [];
  const sizes: number[] = [];
  let envelopes = 0;
  // The JSON of a ResourceSnapshotSpec.
  const whole = createHash('sha256').update('{"selectedResources":[');
  for (const { kind, keys } of kinds) {
    for (const key of keys) {
      yield;
      const object = get(kind, key);
      if (object === undefined) continue;
      const content = contentOf(kind, object);
      if (objects.length > 0) whole.update(',');
      const one = createHash('sha256');
      // Go ends the text of each object with a line feed, and counts it.
      let size = 1;
      for (const chunk of goJsonChunks(content, unspelled)) {
        const bytes = Buffer.from(chunk);
        size += bytes.length;
        for (let at = 0; at < bytes.length; at += bytesPerStep) {
          yield;
          const part = bytes.subarray(at, at + bytesPerStep);
          whole.update(part);
          one.update(part);
        }
      }
      objects.push({ kind, key, resourceVersion: object.metadata.resourceVersion, digest: one.digest('base64') });
      identifiers.push(identifierOf(kind, key));
      sizes.push(size);
      if (envelopeTypeOf(content) !== undefined) envelopes++;
    }
  }
  return { objects, identifiers, sizes, envelopes, hash: whole.update(']}').digest('hex') };
}

/** The digest of one object's content, to see whether it is still the same. */
export function digestOf(content: JsonObject): string {
  const hash = createHash('sha256');
  for (const chunk of goJsonChunks(content, unspelled)) hash.update(chunk);
  return hash.digest('base64');
}

function identifierOf({ group, version, kind }: Kind, { namespace, name }: ObjectKey): PlacedResource {
  return { ...(group !== '' && { group }), version, kind, name, ...(namespace !== undefined && { namespace }) };
}
