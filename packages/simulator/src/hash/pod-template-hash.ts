/** The two hashes that Kubernetes computes of pod templates, to the letter. */
import { structDump } from '@flotilla/builtins/struct-dump';
import { goJson, onceForEqual, type JsonObject } from '@flotilla/kube';
import { fnv32, fnv32a, safeDigits } from './safe-hash.ts';

/**
 * The label `pod-template-hash` of ReplicaSets, and the hash of a DaemonSet's ControllerRevisions. `template` is as the
 * server stores it. `collisionCount` is that of the owner's status.
 */
export function podTemplateHash(template: JsonObject | undefined, collisionCount?: number): string {
  const hash = templateHash(template ?? {});
  return safeDigits(collisionCount === undefined ? hash : fnv32a(littleEndian(collisionCount), hash));
}

/** Kept, because members of a fleet often run the same templates. */
const templateHash = onceForEqual(
  (template: JsonObject) => fnv32a(Buffer.from(structDump('core/v1', 'PodTemplateSpec', template))),
  256,
);

/** The count in eight bytes, of which Kubernetes uses four. */
function littleEndian(count: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(count >>> 0);
  return bytes;
}

/** The data of a ControllerRevision: a strategic merge patch that brings back this template. */
export function revisionData(template: JsonObject | undefined): JsonObject {
  return { spec: { template: { ...template, $patch: 'replace' } } };
}

/** The hash of a StatefulSet's ControllerRevision. Kubernetes counts a missing collision count of the set as 0. */
export function revisionHash(data: JsonObject, collisionCount?: number): string {
  const probe = collisionCount === undefined ? '' : String(collisionCount);
  return safeDigits(fnv32(Buffer.from(goJson(data) + probe)));
}
