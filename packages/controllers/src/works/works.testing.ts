/** For tests: a binding of either family, with a member, a snapshot and Works that fit together. */
import {
  placementApi,
  type ApplyStrategy,
  type Binding,
  type BindingStatus,
  type Condition,
  type ManifestCondition,
  type MemberCluster,
  type PlacementFamily,
  type ResourceSnapshot,
  type Work,
  type WorkStatus,
} from '@flotilla/api';
import { apiVersionOf, type JsonObject, type ObjectMeta } from '@flotilla/kube';
import type { Plan, Write } from '@flotilla/runtime';
import { namedOverrides, type OverrideReader } from '../overrides/overridden-manifest.ts';
import type { IsClusterScoped } from '../overrides/resource-identity.ts';
import { RenderedSnapshots } from './rendered-snapshots.ts';
import type { WorksState } from './works-state.ts';

export const now = new Date('2026-01-01T12:00:00Z');
export const earlier = '2026-01-01T11:00:00Z';
export const noHash = '74234e98afe7498fb5daf1f36ac2d78acc339464f950703b8c019892f982b90b';

const apiVersion = apiVersionOf(placementApi);
const prefix = 'kubernetes-fleet.io';

export const isClusterScoped: IsClusterScoped = ({ kind }) => ['Namespace', 'ClusterRole'].includes(kind);

/** The namespace of a namespaced placement. */
export function namespaceIn({ binding }: PlacementFamily): string | undefined {
  return binding.namespaced ? 'shop' : undefined;
}

/** The beginning of the names of Works for the placement `web`. */
export function baseIn({ binding }: PlacementFamily): string {
  return binding.namespaced ? 'shop.web' : 'web';
}

export function aBinding(
  family: PlacementFamily,
  spec: Partial<Binding['spec']> = {},
  metadata: ObjectMeta = {},
  status: BindingStatus = { conditions: [aCondition('RolloutStarted', 'True', { observedGeneration: 3 })] },
): Binding {
  const namespace = namespaceIn(family);
  return {
    apiVersion,
    kind: family.binding.kind,
    metadata: {
      name: 'web-sea-1234',
      ...(namespace && { namespace }),
      uid: 'b1',
      resourceVersion: '7',
      generation: 3,
      labels: { [`${prefix}/parent-CRP`]: 'web' },
      finalizers: [`${prefix}/work-cleanup`],
      ...metadata,
    },
    spec: {
      state: 'Bound',
      resourceSnapshotName: 'web-4-snapshot',
      schedulingPolicySnapshotName: 'web-0',
      targetCluster: 'sea',
      clusterDecision: { clusterName: 'sea', selected: true, reason: 'picked' },
      ...spec,
    },
    status,
  };
}

export function aSnapshot(
  family: PlacementFamily,
  selectedResources: JsonObject[],
  { count = 1, subindex, metadata = {} }: { count?: number; subindex?: string; metadata?: ObjectMeta } = {},
): ResourceSnapshot {
  const namespace = namespaceIn(family);
  const annotations =
    subindex === undefined
      ? { [`${prefix}/resource-hash`]: 'h', [`${prefix}/number-of-resource-snapshots`]: String(count) }
      : { [`${prefix}/subindex-of-resource-snapshot`]: subindex };
  return {
    apiVersion,
    kind: family.resourceSnapshot.kind,
    metadata: {
      name: subindex === undefined ? 'web-4-snapshot' : `web-4-${subindex}`,
      ...(namespace && { namespace }),
      uid: `s${subindex ?? ''}`,
      creationTimestamp: earlier,
      labels: { [`${prefix}/parent-CRP`]: 'web', [`${prefix}/resource-index`]: '4' },
      annotations,
      ...metadata,
    },
    spec: { selectedResources },
  };
}

export function aCluster(metadata: ObjectMeta = {}): MemberCluster {
  return {
    apiVersion: 'cluster.kubernetes-fleet.io/v1beta1',
    kind: 'MemberCluster',
    metadata: { name: 'sea', uid: 'm1', labels: { region: 'north' }, ...metadata },
    spec: { identity: { kind: 'User', name: 'agent' }, heartbeatPeriodSeconds: 60 },
  };
}

export function aStrategy(type: ApplyStrategy['type']): ApplyStrategy {
  return { type, comparisonOption: 'PartialComparison', whenToApply: 'Always', whenToTakeOver: 'Always' };
}

export function aConfigMap(name: string, namespace = 'shop'): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data: { key: name } };
}

/** A Work as this controller makes it, with what the test changes. */
export function aWork(family: PlacementFamily, metadata: ObjectMeta = {}, status?: WorkStatus): Work {
  const namespace = namespaceIn(family);
  return {
    apiVersion,
    kind: 'Work',
    metadata: {
      namespace: 'fleet-member-sea',
      name: `${baseIn(family)}-work`,
      uid: 'w1',
      resourceVersion: '9',
      generation: 1,
      labels: {
        [`${prefix}/parent-resource-binding`]: 'web-sea-1234',
        [`${prefix}/parent-CRP`]: 'web',
        [`${prefix}/parent-resource-snapshot-index`]: '4',
        ...(namespace && { [`${prefix}/parent-placement-namespace`]: namespace }),
      },
      annotations: {
        [`${prefix}/parent-resource-snapshot-name`]: 'web-4-snapshot',
        [`${prefix}/parent-resource-override-snapshot-hash`]: noHash,
        [`${prefix}/parent-cluster-resource-override-snapshot-hash`]: noHash,
      },
      ...metadata,
    },
    spec: { workload: { manifests: [aConfigMap('a')] } },
    ...(status && { status }),
  };
}

/** A status with these conditions of the Work: `Applied=True AllManifestsApplied`. */
export function reporting(
  conditions: readonly string[],
  manifests: ManifestCondition[] = [],
  generation = 1,
): WorkStatus {
  return {
    conditions: conditions.map((text) => {
      const [, type = '', status = '', reason = ''] = /^(\w+)=(\w+) ?(\w*)$/.exec(text) ?? [];
      const known = { observedGeneration: generation, reason: reason === '' ? 'Reported' : reason };
      return aCondition(type, status as Condition['status'], known);
    }),
    manifestConditions: manifests,
  };
}

export function aManifest(
  name: string,
  conditions: Condition[],
  details: Omit<ManifestCondition, 'identifier' | 'conditions'> = {},
): ManifestCondition {
  const identifier = { ordinal: 0, version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespace: 'shop', name };
  return { identifier, conditions, ...details };
}

export function aCondition(type: string, status: Condition['status'], more: Partial<Condition> = {}): Condition {
  return { type, status, reason: 'Said', message: 'said', lastTransitionTime: earlier, ...more };
}

const noOverrides: OverrideReader = { cluster: () => undefined, namespaced: () => undefined };

/** A state in which the Works are as they should be, with the changes of the test. */
export function aState(
  family: PlacementFamily,
  changes: Partial<WorksState> & {
    snapshots?: ResourceSnapshot[];
    read?: OverrideReader;
    clusterScopedInConfigMaps?: boolean;
  } = {},
): WorksState {
  const {
    snapshots = [aSnapshot(family, [aConfigMap('a')])],
    read = noOverrides,
    clusterScopedInConfigMaps = false,
    ...state
  } = changes;
  const rules = { isClusterScoped, clusterScopedInConfigMaps };
  const binding = state.binding ?? aBinding(family);
  const [master] = snapshots;
  return {
    family,
    binding,
    cluster: aCluster(),
    works: [aWork(family)],
    hasOurAgent: false,
    rivals: [],
    group: master && new RenderedSnapshots(rules).group(master, () => snapshots),
    overrides: namedOverrides(binding.spec, read),
    reportBack: { strategy: undefined },
    ...state,
  };
}

/** The writes of each step, as text: `create Work web-work`. */
export function stepsOf({ steps }: Plan): string[][] {
  return steps.map((step) => step.map(writeText)).filter((step) => step.length > 0);
}

export function writeText(write: Write): string {
  const name = 'object' in write ? write.object.metadata.name : write.key.name;
  const part = 'subresource' in write && write.subresource ? `/${write.subresource}` : '';
  return `${write.verb} ${write.kind.kind}${part} ${name}`;
}

/** The status of the binding that the plan writes. */
export function statusIn({ steps }: Plan): BindingStatus | undefined {
  const write = steps.flat().find((one) => 'subresource' in one && one.subresource === 'status');
  return write?.verb === 'update' ? (write.object as Binding).status : undefined;
}

/** `Applied=True AllWorkHaveBeenApplied: All corresponding work objects are applied`. */
export function conditionTexts(status: BindingStatus | undefined): string[] {
  return (status?.conditions ?? [])
    .filter(({ type }) => type !== 'RolloutStarted')
    .map(({ type, status: is, reason, message }) => `${type}=${is} ${reason}: ${message}`);
}
