import { stringifyJson, type JsonObject } from '@flotilla/kube';
import { fnv32a, safeDigits } from './safe-hash.ts';

/** The label `pod-template-hash` of a template's ReplicaSet. The same template has the same hash, unless hashes collided. */
export function podTemplateHash(template: JsonObject | undefined, collisionCount?: number): string {
  const hash = fnv32a(Buffer.from(stringifyJson(template ?? {})));
  return safeDigits(collisionCount === undefined ? hash : fnv32a(littleEndian(collisionCount), hash));
}

/** The count in eight bytes, of which Kubernetes uses four. */
function littleEndian(count: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(count >>> 0);
  return bytes;
}
