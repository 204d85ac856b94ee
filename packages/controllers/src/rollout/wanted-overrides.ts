/** The overrides that bindings should name, and whether a difference is reason enough to update one. */
import type { BindingSpec } from '@flotilla/api';
import { jsonEquals, keyText } from '@flotilla/kube';
import type { OverrideNames } from '../overrides/matching-overrides.ts';

export interface WantedOverrides {
  /** By cluster. A cluster without an entry has no MemberCluster: it is unknown which overrides are for it. */
  readonly byCluster: ReadonlyMap<string, OverrideNames> | 'none';
  /**
   * Keys of existing snapshots of overrides that name no placement. These do not start a rollout: they apply with the next one. A
   * snapshot that is named but does not exist is not among them.
   */
  readonly unreferenced: ReadonlySet<string>;
}

const noNames: OverrideNames = { clusterResourceOverrideSnapshots: [], resourceOverrideSnapshots: [] };

export function wantedFor({ byCluster }: WantedOverrides, cluster: string): OverrideNames | undefined {
  return byCluster === 'none' ? noNames : byCluster.get(cluster);
}

type NamedInBinding = Pick<BindingSpec, 'clusterResourceOverrideSnapshots' | 'resourceOverrideSnapshots'>;

/** Whether the binding must change for the overrides alone. */
export function haveChanged(spec: NamedInBinding, wanted: OverrideNames, { unreferenced }: WantedOverrides): boolean {
  if (isNone(spec) && isNone(wanted)) return false;
  const decisive = (names: NamedInBinding) => [
    (names.clusterResourceOverrideSnapshots ?? []).filter((name) => !unreferenced.has(name)),
    (names.resourceOverrideSnapshots ?? []).map(keyText).filter((key) => !unreferenced.has(key)),
  ];
  return !jsonEquals(decisive(spec), decisive(wanted));
}

/** Nearly all bindings have none. */
function isNone({ clusterResourceOverrideSnapshots = [], resourceOverrideSnapshots = [] }: NamedInBinding): boolean {
  return clusterResourceOverrideSnapshots.length + resourceOverrideSnapshots.length === 0;
}
