/** How the controllers find override snapshots: by their override, by what they select, by the bindings that name them. */
import {
  clusterResourceOverrideSnapshots,
  families,
  overrideIndexLabel,
  overrideLabel,
  resourceOverrideSnapshots,
  type Binding,
  type OverrideSnapshot,
} from '@flotilla/api';
import { keyText, type Kind, type KubeObject, type ObjectKey } from '@flotilla/kube';
import type { Cache, Indexes } from '@flotilla/runtime';
import { isLatest, latestOf } from '../family/latest-snapshot.ts';
import { selectedIdentities, type OverrideFinder } from './matching-overrides.ts';
import { identityText } from './resource-identity.ts';

const overrideIndex = 'override';
const selectionIndex = 'resource of an override';
const namedIndex = 'override snapshot';
const anyIndex = 'any override';

/** For `indexes` of override snapshots. */
export const overrideSnapshotIndexes: Indexes = {
  [overrideIndex]: (snapshot) => {
    const key = overrideOf(snapshot);
    return key === undefined ? [] : [keyText(key)];
  },
  [anyIndex]: () => [''],
  [selectionIndex]: (snapshot) => selectedIdentities(snapshot as OverrideSnapshot).map(identityText),
};

/** For `indexes` of bindings. */
export const byNamedOverrides: Indexes = {
  [namedIndex]: (binding) => namedIn(binding as Binding),
};

/** The override of a snapshot: its label says which. If a user has removed the label, its owner does. */
export function overrideOf({ metadata }: Readonly<KubeObject>): ObjectKey | undefined {
  const { namespace, labels = {}, ownerReferences = [] } = metadata;
  const labelled = Object.hasOwn(labels, overrideLabel) ? labels[overrideLabel] : undefined;
  const name = labelled ?? ownerReferences.find(({ controller }) => controller === true)?.name;
  return name === undefined ? undefined : { namespace, name };
}

/** Whether there are any overrides. Most hubs have none. */
export function hasOverrides(cache: Cache): boolean {
  return [clusterResourceOverrideSnapshots, resourceOverrideSnapshots].some(
    (kind) => cache.count(kind, anyIndex, '') > 0,
  );
}

/** All snapshots of an override, in the order of their names. */
export function revisionsOf(
  cache: Cache,
  kind: Kind<OverrideSnapshot>,
  override: ObjectKey,
): readonly Readonly<OverrideSnapshot>[] {
  return cache.indexed(kind, overrideIndex, keyText(override));
}

/** The keys of the snapshots that a binding names, as texts. */
export function namedIn({ spec }: Readonly<Binding>): string[] {
  return [...(spec.clusterResourceOverrideSnapshots ?? []), ...(spec.resourceOverrideSnapshots ?? []).map(keyText)];
}

/** Whether a binding of either family names the snapshot. */
export function isNamed(cache: Cache, snapshot: ObjectKey): boolean {
  return families.some(({ binding }) => cache.count(binding, namedIndex, keyText(snapshot)) > 0);
}

/** The bindings of one family that name the snapshot. */
export function bindingsNaming(cache: Cache, kind: Kind<Binding>, snapshot: ObjectKey): readonly Readonly<Binding>[] {
  return cache.indexed(kind, namedIndex, keyText(snapshot));
}

/** Finds the latest snapshots of overrides, for a controller that watches both kinds with their indexes. */
export function overrideFinder(cache: Cache): OverrideFinder {
  const latestAmong =
    <T extends OverrideSnapshot>(kind: Kind<T>) =>
    (identity: string): Readonly<T>[] =>
      cache.indexed(kind, selectionIndex, identity).filter((snapshot) => isCurrent(cache, kind, snapshot));
  return { cluster: latestAmong(clusterResourceOverrideSnapshots), namespaced: latestAmong(resourceOverrideSnapshots) };
}

function isCurrent(cache: Cache, kind: Kind<OverrideSnapshot>, snapshot: Readonly<OverrideSnapshot>): boolean {
  const override = overrideOf(snapshot);
  if (override === undefined) return isLatest(snapshot);
  const latest = latestOf(revisionsOf(cache, kind, override), overrideIndexLabel);
  return latest?.metadata.name === snapshot.metadata.name;
}
