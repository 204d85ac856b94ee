import type { Patch } from '@flotilla/client';
import {
  createThreeWayMergePatch,
  createThreeWayStrategicPatch,
  type GroupVersionKind,
  type KubeObject,
  type PatchSchema,
} from '@flotilla/kube';
import { lastAppliedOf } from './last-applied.ts';

/** What is known of a built-in kind's fields. Undefined: the kind is not built in, as custom resources are. */
export type PatchSchemaLookup = (kind: GroupVersionKind) => PatchSchema | undefined;

export type MergingPatch = Extract<Patch, { type: 'merge' | 'strategic' }>;

/**
 * Client-side apply as one patch: what the manifest says is set, what it said last time and no longer says is removed, and
 * what others have set stays.
 */
export function threeWayPatch(manifest: KubeObject, live: KubeObject, patchSchemaOf: PatchSchemaLookup): MergingPatch {
  const sides = { original: lastAppliedOf(live), modified: manifest, current: live };
  const schema = patchSchemaOf(kindOf(live));
  return schema === undefined
    ? { type: 'merge', value: createThreeWayMergePatch(sides, unchangeable) }
    : { type: 'strategic', value: createThreeWayStrategicPatch(sides, schema) };
}

/** A merge patch that would change these cannot be meant for this object. */
const unchangeable = [['apiVersion'], ['kind'], ['metadata', 'name']] as const;

function kindOf({ apiVersion, kind }: KubeObject): GroupVersionKind {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return { group, version, kind };
}
