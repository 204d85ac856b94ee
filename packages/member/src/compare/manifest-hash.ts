import { createHash } from 'node:crypto';
import { goJson, type JsonObject } from '@flotilla/kube';
import { comparableOf } from './comparable.ts';

/** Identifies the manifest that an object was applied from. Equal to KubeFleet's hash, so that its agent can be replaced. */
export function manifestHash(manifest: JsonObject): string {
  return createHash('sha256')
    .update(goJson(comparableOf(manifest)))
    .digest('hex');
}
