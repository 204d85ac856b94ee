/**
 * The scale subresource exposes managedFields of a Scale, while its parent stores them. They share only the owners
 * of `spec.replicas`.
 */
import type { ManagedFieldsEntry } from '../object.ts';
import { difference, hasPath, setOfPaths } from './field-set.ts';
import { decodeManagers, encodeManagers, withFields, type Manager } from './managers.ts';
import { fieldPath, type FieldPath } from './path-element.ts';

export interface ScaleParent {
  /** The version of the request. */
  readonly apiVersion: string;
  /**
   * The path of replicas in a version of the parent. Null for a version without scale, undefined for an unknown
   * version.
   */
  readonly replicasPath: (apiVersion: string) => FieldPath | null | undefined;
}

const scaleVersion = 'autoscaling/v1';
const scaleReplicasPath = fieldPath('spec', 'replicas');

/** The owners of the parent's replicas as entries of a Scale. */
export function scaleEntriesOf(
  parent: ScaleParent,
  parentEntries: readonly ManagedFieldsEntry[],
): ManagedFieldsEntry[] | undefined {
  const owners = new Map<string, Manager>();
  for (const [identifier, manager] of decodeManagers(parentEntries, 'store')) {
    const path = parent.replicasPath(manager.apiVersion);
    if (path === undefined || path === null || !hasPath(manager.fields, path)) continue;
    owners.set(identifier, { ...withFields(manager, setOfPaths([scaleReplicasPath])), apiVersion: scaleVersion });
  }
  return encodeManagers(owners);
}

/** The parent's entries after a write to its Scale, which now has `scaleEntries`. */
export function parentEntriesOf(
  parent: ScaleParent,
  parentEntries: readonly ManagedFieldsEntry[],
  scaleEntries: readonly ManagedFieldsEntry[],
): ManagedFieldsEntry[] | undefined {
  const scaleOwners = new Map(decodeManagers(scaleEntries, 'store'));
  const parentOwners = decodeManagers(parentEntries, 'store');
  const owners = new Map<string, Manager>();
  for (const [identifier, manager] of parentOwners) {
    const path = parent.replicasPath(manager.apiVersion);
    if (path === undefined) continue;
    const kept = path === null || !hasPath(manager.fields, path) || scaleOwners.delete(identifier);
    const remaining = kept ? manager : withFields(manager, difference(manager.fields, setOfPaths([path])));
    if (remaining.fields.length > 0) owners.set(identifier, remaining);
  }
  for (const [identifier, manager] of scaleOwners) {
    if (!hasPath(manager.fields, scaleReplicasPath)) continue;
    const { apiVersion, replicasPath } = parent;
    const fields = setOfPaths([replicasPath(apiVersion) ?? scaleReplicasPath]);
    owners.set(identifier, { ...withFields(manager, fields), apiVersion, time: parentOwners.get(identifier)?.time });
  }
  return encodeManagers(owners);
}
