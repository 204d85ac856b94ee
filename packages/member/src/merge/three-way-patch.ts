import type { Patch } from '@flotilla/client';
import {
  createThreeWayMergePatch,
  createThreeWayStrategicPatch,
  once,
  type GroupVersionKind,
  type KubeObject,
  type PatchSchema,
} from '@flotilla/kube';
import { lastAppliedOf } from './last-applied.ts';

/** The merge keys of a built-in kind. Undefined for other kinds, such as custom resources. */
export type PatchSchemaLookup = (kind: GroupVersionKind) => PatchSchema | undefined;

/** KubeFleet's agent treats kinds of client-go's scheme as built in. The scheme lacks these groups. */
const unregisteredGroups: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Loads the field table of the built-in kinds lazily, because an agent needs it for patches only. */
export const loadPatchSchemas = once(async (): Promise<PatchSchemaLookup> => {
  const { patchSchemaOfKind } = await import('@flotilla/builtins/patch-schemas');
  return (kind) => (unregisteredGroups.has(kind.group) ? undefined : patchSchemaOfKind(kind));
});

export type MergingPatch = Extract<Patch, { type: 'merge' | 'strategic' }>;

/** Client-side apply as one patch: sets the manifest's fields, removes those it no longer has, and keeps other clients' fields. */
export function threeWayPatch(manifest: KubeObject, live: KubeObject, patchSchemaOf: PatchSchemaLookup): MergingPatch {
  const sides = { original: lastAppliedOf(live), modified: manifest, current: live };
  const schema = patchSchemaOf(kindOf(live));
  return schema === undefined
    ? { type: 'merge', value: createThreeWayMergePatch(sides, unchangeable) }
    : { type: 'strategic', value: createThreeWayStrategicPatch(sides, schema) };
}

/** A merge patch that changes these is for another object, and is refused. */
const unchangeable = [['apiVersion'], ['kind'], ['metadata', 'name']] as const;

function kindOf({ apiVersion, kind }: KubeObject): GroupVersionKind {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return { group, version, kind };
}
