/** Placements and bindings for tests. */
import {
  bindingConditions,
  type ApplyStrategy,
  type Binding,
  type Condition,
  type Placement,
  type PlacementFamily,
  type PlacementPolicy,
  type RollingUpdate,
} from '@flotilla/api';
import { apiVersionOf, applyMergePatch, formatTime, type JsonObject } from '@flotilla/kube';
import type { Plan, Write } from '@flotilla/runtime';
import type { BindingConditionType } from '../family/binding-progress.ts';
import { defaultRollingUpdate } from '../family/placement-defaults.ts';
import type { OverrideNames } from '../overrides/matching-overrides.ts';
import type { RolloutState } from './decide.ts';
import type { WantedOverrides } from './wanted-overrides.ts';

export const now = new Date('2026-01-01T12:00:00Z');

export const strategyDefaults: ApplyStrategy = {
  type: 'ClientSideApply',
  comparisonOption: 'PartialComparison',
  whenToApply: 'Always',
  whenToTakeOver: 'Always',
};

export const noOverrides: WantedOverrides = { byCluster: 'none', unreferenced: new Set() };

export function pickN(numberOfClusters: number): PlacementPolicy {
  return { placementType: 'PickN', numberOfClusters };
}

export function namespaceOf({ scope }: PlacementFamily): { namespace?: string } {
  return scope === 'Namespaced' ? { namespace: 'app' } : {};
}

interface PlacementOptions {
  readonly policy?: PlacementPolicy;
  readonly rollingUpdate?: Partial<RollingUpdate>;
  readonly strategy?: Partial<NonNullable<Placement['spec']['strategy']>>;
}

export function aPlacement(family: PlacementFamily, options: PlacementOptions = {}): Placement {
  const { policy = { placementType: 'PickAll' }, rollingUpdate = {}, strategy = {} } = options;
  return {
    apiVersion: apiVersionOf(family.placement),
    kind: family.placement.kind,
    metadata: { name: 'p', ...namespaceOf(family), uid: 'p', generation: 1 },
    spec: {
      resourceSelectors: [],
      revisionHistoryLimit: 10,
      statusReportingScope: 'ClusterScopeOnly',
      policy,
      strategy: { type: 'RollingUpdate', rollingUpdate: { ...defaultRollingUpdate, ...rollingUpdate }, ...strategy },
    },
  };
}

interface BindingOptions {
  readonly state?: Binding['spec']['state'];
  readonly cluster?: string;
  readonly snapshot?: string;
  readonly overrides?: Partial<OverrideNames>;
  readonly applyStrategy?: ApplyStrategy | undefined;
  readonly isDeleting?: boolean;
  readonly generation?: number;
  readonly finalizers?: string[];
  readonly conditions?: Condition[];
}

/** Bound to the snapshot `p-0-snapshot`, unless it says otherwise. */
export function aBinding(family: PlacementFamily, name: string, options: BindingOptions = {}): Binding {
  const { state = 'Bound', cluster = name, isDeleting = false, generation = 2, finalizers } = options;
  const { snapshot = state === 'Scheduled' ? '' : 'p-0-snapshot', overrides = {}, conditions = [] } = options;
  const applyStrategy = 'applyStrategy' in options ? options.applyStrategy : strategyDefaults;
  return {
    apiVersion: apiVersionOf(family.binding),
    kind: family.binding.kind,
    metadata: {
      name,
      ...namespaceOf(family),
      uid: `u-${name}`,
      resourceVersion: '7',
      generation,
      labels: { 'kubernetes-fleet.io/parent-CRP': 'p' },
      ...(finalizers && { finalizers }),
      ...(isDeleting && { deletionTimestamp: formatTime(now) }),
    },
    spec: {
      state,
      resourceSnapshotName: snapshot,
      schedulingPolicySnapshotName: 'p-0',
      targetCluster: cluster,
      clusterDecision: { clusterName: cluster, selected: true, reason: '' },
      ...(applyStrategy && { applyStrategy }),
      ...overrides,
    },
    status: { conditions },
  };
}

interface ConditionOptions {
  readonly reason?: string;
  readonly message?: string;
  readonly generation?: number;
  readonly agoMs?: number;
}

export function aCondition(
  type: BindingConditionType,
  status: 'True' | 'False',
  options: ConditionOptions = {},
): Condition {
  const { reason = 'Reported', message = '', generation = 2, agoMs = 0 } = options;
  const lastTransitionTime = formatTime(new Date(now.getTime() - agoMs));
  return { type, status, reason, message, observedGeneration: generation, lastTransitionTime };
}

export const started = aCondition(bindingConditions.rolloutStarted, 'True', {
  reason: 'RolloutStarted',
  message: 'Detected the new changes on the resources and started the rollout process',
});

/** Its resources are available. */
export const ready = [started, aCondition(bindingConditions.available, 'True')];

/** Its resources could not be applied. */
export const failed = [started, aCondition(bindingConditions.applied, 'False')];

export function aState(
  family: PlacementFamily,
  placement: Placement,
  bindings: Binding[],
  changes: Partial<RolloutState> = {},
): RolloutState {
  const resources = { latest: 'p-0-snapshot', overrides: noOverrides };
  return { family, placement, bindings, resources, isWithWorks: false, ...changes };
}

/** `update b`, `start b`, `hold b`, `delete b`: what happens to each binding. Statuses that follow a change are left out. */
export function effectsOf({ steps: [first = []] }: Plan): string[] {
  return first.map((write) => `${effectOf(write)} ${'key' in write ? write.key.name : ''}`);
}

function effectOf(write: Write): string {
  if (write.verb !== 'patch') return write.verb;
  if (write.subresource === undefined)
    return (write.patch['spec'] as JsonObject)['state'] === 'Bound' ? 'update' : 'push';
  const { conditions } = write.patch['status'] as { conditions: Condition[] };
  return conditions.find(({ type }) => type === 'RolloutStarted')?.status === 'True' ? 'start' : 'hold';
}

/** The binding after the writes of a plan; undefined if it is deleted. */
export function afterwards(binding: Binding, { steps }: Plan): Binding | undefined {
  let result: Binding | undefined = binding;
  for (const write of steps.flat()) {
    if (!('key' in write) || write.key.name !== binding.metadata.name) continue;
    if (write.verb === 'delete') result = undefined;
    else if (write.verb === 'patch' && result !== undefined) result = patched(result, write);
  }
  return result;
}

function patched(binding: Binding, { patch, subresource }: Write & { verb: 'patch' }): Binding {
  const result = applyMergePatch(binding, patch) as Binding;
  const generation = (binding.metadata.generation ?? 0) + (subresource === undefined ? 1 : 0);
  return { ...result, metadata: { ...result.metadata, generation } };
}
