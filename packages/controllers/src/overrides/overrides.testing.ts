/** Override snapshots, clusters and resources for tests. */
import type {
  ClusterResourceOverrideSnapshot,
  MemberCluster,
  OverrideRule,
  OverrideSnapshot,
  PlacementReference,
  ResourceOverrideSnapshot,
} from '@flotilla/api';
import type { GroupVersionKind, JsonObject, Kind, KubeObject } from '@flotilla/kube';
import type { Cache } from '@flotilla/runtime';
import type { OverrideFinder } from './matching-overrides.ts';
import { overrideFinder, overrideSnapshotIndexes } from './override-indexes.ts';
import { namedOverrides, type NamedOverrides } from './overridden-manifest.ts';

const apiVersion = 'placement.kubernetes-fleet.io/v1beta1';

export const toAll: OverrideRule = { clusterSelector: { clusterSelectorTerms: [] }, overrideType: 'JSONPatch' };

export function labelled(matchLabels: Record<string, string>): OverrideRule {
  return { ...toAll, clusterSelector: { clusterSelectorTerms: [{ labelSelector: { matchLabels } }] } };
}

export function setting(path: string, value: string): OverrideRule {
  return { ...toAll, jsonPatchOverrides: [{ op: 'add', path, value }] };
}

interface SnapshotOptions {
  readonly index?: number;
  readonly isLatest?: boolean;
  readonly placement?: PlacementReference;
  readonly rules?: OverrideRule[];
}

function metadataOf(override: string, { index = 0, isLatest = true }: SnapshotOptions) {
  return {
    name: `${override}-${index}`,
    uid: `${override}-${index}`,
    resourceVersion: '1',
    labels: {
      'kubernetes-fleet.io/parent-resource-override': override,
      'kubernetes-fleet.io/override-index': String(index),
      'kubernetes-fleet.io/is-latest-snapshot': String(isLatest),
    },
  };
}

function specParts({ placement, rules = [toAll] }: SnapshotOptions) {
  return { ...(placement && { placement }), policy: { overrideRules: rules } };
}

/** `selected` is a kind and a name: `v1 Namespace app`. */
export function clusterOverride(
  override: string,
  selected: string,
  options: SnapshotOptions = {},
): ClusterResourceOverrideSnapshot {
  const { group, version, kind, name } = selectorFrom(selected);
  const selector = { group, version, kind, name, selectionScope: 'NamespaceWithResources' as const };
  return {
    apiVersion,
    kind: 'ClusterResourceOverrideSnapshot',
    metadata: metadataOf(override, options),
    spec: { overrideHash: '', overrideSpec: { ...specParts(options), clusterResourceSelectors: [selector] } },
  };
}

/** `override` is `namespace/name`. */
export function namespacedOverride(
  override: string,
  selected: string,
  options: SnapshotOptions = {},
): ResourceOverrideSnapshot {
  const [namespace = '', name = ''] = override.split('/');
  return {
    apiVersion,
    kind: 'ResourceOverrideSnapshot',
    metadata: { ...metadataOf(name, options), namespace },
    spec: { overrideHash: '', overrideSpec: { ...specParts(options), resourceSelectors: [selectorFrom(selected)] } },
  };
}

function selectorFrom(selected: string) {
  const [groupVersion = '', kind = '', name = ''] = selected.split(' ');
  const parts = groupVersion.split('/');
  return { group: parts.length === 1 ? '' : (parts[0] ?? ''), version: parts.at(-1) ?? '', kind, name };
}

/** `v1 ConfigMap app/web`, with fields. */
export function resource(text: string, fields: JsonObject = {}): JsonObject {
  const [objectVersion = '', kind = '', key = ''] = text.split(' ');
  const [name = '', namespace] = key.split('/').reverse();
  return { apiVersion: objectVersion, kind, metadata: { name, ...(namespace && { namespace }) }, ...fields };
}

export function memberCluster(name: string, labels: Record<string, string> = {}): MemberCluster {
  return {
    apiVersion: 'cluster.kubernetes-fleet.io/v1beta1',
    kind: 'MemberCluster',
    metadata: { name, labels },
    spec: { identity: { kind: 'User', name }, heartbeatPeriodSeconds: 60 },
  };
}

const clusterScopedKinds = new Set(['Namespace', 'ClusterRole']);

export function isClusterScoped({ kind }: GroupVersionKind): boolean {
  return clusterScopedKinds.has(kind);
}

/** Finds among these, through the indexes of the controllers. */
export function finderOf(...snapshots: OverrideSnapshot[]): OverrideFinder {
  const indexed = <T extends KubeObject>({ kind }: Kind<T>, index: string, value: string): readonly Readonly<T>[] => {
    const found = snapshots.filter(
      (one) => one.kind === kind && [...(overrideSnapshotIndexes[index]?.(one) ?? [])].includes(value),
    );
    return found as unknown as T[];
  };
  return overrideFinder({ indexed } as Cache);
}

/** As if a binding named all of these, in this order. */
export function namedAs(...snapshots: OverrideSnapshot[]): NamedOverrides {
  const ofKind = (kind: string) => snapshots.filter((one) => one.kind === kind);
  const result = namedOverrides(
    {
      clusterResourceOverrideSnapshots: ofKind('ClusterResourceOverrideSnapshot').map(
        ({ metadata }) => metadata.name ?? '',
      ),
      resourceOverrideSnapshots: ofKind('ResourceOverrideSnapshot').map(({ metadata }) => ({
        name: metadata.name ?? '',
        namespace: metadata.namespace ?? '',
      })),
    },
    {
      cluster: ({ name }) =>
        snapshots.find(({ metadata }) => metadata.namespace === undefined && metadata.name === name),
      namespaced: ({ namespace, name }) =>
        snapshots.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
    },
  );
  if (result.problem !== undefined) throw new Error(result.problem);
  return result.value;
}
