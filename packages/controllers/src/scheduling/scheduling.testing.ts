/** For tests: a placement with its policy snapshot, clusters that have joined, bindings, and plans as text. */
import {
  type Binding,
  type BindingState,
  type MemberCluster,
  type MemberClusterStatus,
  type Placement,
  type PlacementFamily,
  type PlacementPolicy,
  type PolicySnapshot,
} from '@flotilla/api';
import { apiVersionOf, formatTime, type ObjectMeta } from '@flotilla/kube';
import type { Plan, Write } from '@flotilla/runtime';
import type { SchedulingState } from './scheduling-state.ts';

export const now = new Date('2026-01-01T12:00:00Z');

const label = 'kubernetes-fleet.io/parent-CRP';

/** Namespaced objects are in the namespace `west`. */
function metadataOf({ scope }: PlacementFamily, metadata: ObjectMeta): ObjectMeta {
  return { ...(scope === 'Namespaced' && { namespace: 'west' }), ...metadata };
}

export function aPlacement(family: PlacementFamily, metadata: ObjectMeta = {}, strategy?: object): Placement {
  return {
    apiVersion: apiVersionOf(family.placement),
    kind: family.placement.kind,
    metadata: metadataOf(family, {
      name: 'shop',
      uid: 'p1',
      resourceVersion: '7',
      generation: 3,
      finalizers: ['kubernetes-fleet.io/scheduler-cleanup'],
      ...metadata,
    }),
    spec: { resourceSelectors: [], ...(strategy && { strategy }) },
  } as unknown as Placement;
}

export function aPolicySnapshot(
  family: PlacementFamily,
  policy?: Partial<PlacementPolicy>,
  metadata: ObjectMeta = {},
): PolicySnapshot {
  const { annotations = {}, labels = {}, ...rest } = metadata;
  return {
    apiVersion: apiVersionOf(family.policySnapshot),
    kind: family.policySnapshot.kind,
    metadata: metadataOf(family, {
      name: 'shop-1',
      uid: 's1',
      resourceVersion: '8',
      generation: 1,
      labels: {
        [label]: 'shop',
        'kubernetes-fleet.io/is-latest-snapshot': 'true',
        'kubernetes-fleet.io/policy-index': '1',
        ...labels,
      },
      annotations: {
        'kubernetes-fleet.io/CRP-generation': '3',
        ...(policy?.numberOfClusters !== undefined && {
          'kubernetes-fleet.io/number-of-clusters': String(policy.numberOfClusters),
        }),
        ...annotations,
      },
      ...rest,
    }),
    spec: { policyHash: '', ...(policy && { policy: policy as PlacementPolicy }) },
  };
}

export function aBinding(
  family: PlacementFamily,
  cluster: string,
  state: BindingState,
  metadata: ObjectMeta = {},
): Binding {
  return {
    apiVersion: apiVersionOf(family.binding),
    kind: family.binding.kind,
    metadata: metadataOf(family, {
      name: `shop-${cluster}-0`,
      uid: `b-${cluster}`,
      resourceVersion: '9',
      labels: { [label]: 'shop' },
      finalizers: ['kubernetes-fleet.io/scheduler-crb-cleanup', 'kubernetes-fleet.io/work-cleanup'],
      ...metadata,
    }),
    spec: {
      state,
      resourceSnapshotName: state === 'Scheduled' ? '' : 'shop-0-snapshot',
      schedulingPolicySnapshotName: 'shop-1',
      targetCluster: cluster,
      clusterDecision: { clusterName: cluster, selected: true, reason: 'picked' },
    },
  };
}

/** A status as agents report it that have joined. */
export function joinedStatus(at: Date = now): MemberClusterStatus {
  const said = { status: 'True', reason: 'Said', message: '', lastTransitionTime: formatTime(at) } as const;
  return {
    agentStatus: [
      {
        type: 'MemberAgent',
        lastReceivedHeartbeat: formatTime(at),
        conditions: [
          { type: 'Joined', ...said },
          { type: 'Healthy', ...said },
        ],
      },
    ],
  };
}

export function aCluster(name: string): MemberCluster {
  return {
    apiVersion: 'cluster.kubernetes-fleet.io/v1beta1',
    kind: 'MemberCluster',
    metadata: { name, uid: `c-${name}` },
    spec: { identity: { kind: 'User', name: 'agent' }, heartbeatPeriodSeconds: 60 },
    status: joinedStatus(),
  };
}

export function aState(family: PlacementFamily, changes: Partial<SchedulingState> = {}): SchedulingState {
  const { bindings = [] } = changes;
  return {
    family,
    key: { namespace: family.scope === 'Namespaced' ? 'west' : undefined, name: 'shop' },
    placement: aPlacement(family),
    policySnapshot: aPolicySnapshot(family),
    bindings,
    clusters: [],
    holderOf: (name) => bindings.find(({ metadata }) => metadata.name === name)?.metadata.uid,
    ...changes,
  };
}

/** The writes of each step that has any: `patch Binding sea`, with the kinds of a family named by their role. */
export function writesIn(family: PlacementFamily, { steps }: Plan): string[][] {
  const roles = new Map([
    [family.placement.kind, 'placement'],
    [family.binding.kind, 'binding'],
    [family.policySnapshot.kind, 'policy'],
  ]);
  const textOf = (write: Write): string => {
    const { name = '' } = 'object' in write ? write.object.metadata : write.key;
    const part = 'subresource' in write && write.subresource ? `/${write.subresource}` : '';
    return `${write.verb} ${roles.get(write.kind.kind)}${part} ${name.replace(/-[0-9a-f]{8}$/, '-HASH')}`;
  };
  return steps.map((step) => step.map(textOf)).filter((step) => step.length > 0);
}
