import { createHash } from 'node:crypto';
import { goJson, type JsonObject } from '@flotilla/kube';
import { comparableOf } from './comparable.ts';

/**
 * Tells whether an object was applied from this manifest. The same bytes as KubeFleet's agent hashes, so that the two can
 * take turns on one object.
 */
export function manifestHash(manifest: JsonObject): string {
  return createHash('sha256')
    .update(goJson(comparableOf(manifest)))
    .digest('hex');
}
