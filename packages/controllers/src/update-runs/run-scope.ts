/** Which clusters a run concerns: those that the latest policy has chosen, and those that it no longer wants. */
import {
  conditionOf,
  isTrueNow,
  numberOfClustersAnnotation,
  onlyClustersAnnotation,
  policyIndexLabel,
  policySnapshotConditions,
  type ApplyStrategy,
  type PolicySnapshot,
  type UpdateRunStatus,
} from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';
import { isLatest, latestPolicySnapshotOf } from '../family/latest-snapshot.ts';
import { withPlacementDefaults } from '../family/placement-defaults.ts';
import type { PlacementState } from '../placement/placement-state.ts';
import { invalidRun, unexpected, userError } from './run-abort.ts';
import type { RunState, ScheduledBinding } from './run-state.ts';

export interface RunScope {
  readonly parent: PlacementState;
  readonly applyStrategy: ApplyStrategy;
  readonly policyIndex: string;
  /** How many clusters the policy asks for; for PickAll, how many it has chosen. */
  readonly clusterCount: number;
  /** By cluster. */
  readonly selected: ReadonlyMap<string, ScheduledBinding>;
  /** By cluster: those that lose the resources. */
  readonly leaving: ReadonlyMap<string, ScheduledBinding>;
}

/** What is known of a run before all is: the status shows it, even if something that comes after it ends the run. */
export type Known = Pick<
  UpdateRunStatus,
  'appliedStrategy' | 'policySnapshotIndexUsed' | 'policyObservedClusterCount' | 'resourceSnapshotIndexUsed'
>;

/** Written by KubeFleet, too, if a run ends before the clusters of PickAll are known. */
const unknownCount = -1;

/** Undefined if the scheduler is about to change bindings. Throws a RunAbort. */
export function scopeOf(state: RunState, learn: (known: Known) => void = () => {}): RunScope | undefined {
  const { parent } = state;
  if (parent === undefined) throw invalidRun(userError('parent placement not found'));
  const { strategy, policy } = withPlacementDefaults(parent.placement.spec);
  if (strategy.type !== 'External') {
    const why = `parent placement does not have an external rollout strategy, current strategy: ${strategy.type}`;
    throw invalidRun(userError(why));
  }
  learn({ appliedStrategy: strategy.applyStrategy });
  const snapshot = policySnapshotOf(parent);
  const policyIndex = labelOf(snapshot, policyIndexLabel);
  if (policyIndex === undefined) {
    throw invalidRun(unexpected(`policy snapshot \`${pathOf(snapshot)}\` does not have a policy index label`));
  }
  learn({ policySnapshotIndexUsed: policyIndex });
  const asked = countOf(snapshot, policy.placementType === 'PickN');
  learn({ policyObservedClusterCount: asked ?? unknownCount });
  if (!isTrueNow(scheduledOf(snapshot), snapshot.metadata.generation)) {
    throw invalidRun(`policy snapshot \`${nameOf(snapshot)}\` not fully scheduled yet`);
  }
  const found = boundTo(state, nameOf(snapshot));
  if (found === undefined) return undefined;
  if (found.selected.size + found.leaving.size === 0) {
    const which = `the latest policy snapshot ${pathOf(snapshot)}`;
    throw invalidRun(`no scheduled or to-be-deleted bindings found for ${which}`);
  }
  const count = found.selected.size;
  if (asked !== undefined && asked !== count) {
    const why = `the number of selected bindings ${count} is not equal to the observed cluster count ${asked}`;
    throw invalidRun(unexpected(why));
  }
  return {
    parent,
    applyStrategy: strategy.applyStrategy,
    policyIndex,
    clusterCount: asked ?? count,
    ...limited(state, found),
  };
}

/** The clusters of a run as the latest policy has them, by name. Undefined while the scheduler has not got to it. */
export function selectedNow(state: RunState, parent: PlacementState): RunScope['selected'] | undefined {
  const snapshot = policySnapshotOf(parent);
  const scheduled = scheduledOf(snapshot);
  if (scheduled === undefined || scheduled.observedGeneration !== snapshot.metadata.generation) return undefined;
  const found = boundTo(state, nameOf(snapshot));
  if (found === undefined) return undefined;
  const { policy } = withPlacementDefaults(parent.placement.spec);
  const asked = scheduled.status === 'True' ? countOf(snapshot, policy.placementType === 'PickN') : undefined;
  return asked === undefined || asked === found.selected.size ? limited(state, found).selected : undefined;
}

/** When the latest policy was made. Throws a RunAbort. */
export function policyTime(parent: PlacementState): number {
  return Date.parse(policySnapshotOf(parent).metadata.creationTimestamp ?? '') || 0;
}

/** Between two writes of the placement controller no snapshot has the label; then the newest counts. */
function policySnapshotOf(parent: PlacementState): Readonly<PolicySnapshot> {
  const { policySnapshots, placement } = parent;
  const labelled = policySnapshots.filter(isLatest);
  const where = `for placement ${pathOf(placement)}`;
  if (labelled.length > 1) throw invalidRun(unexpected(`multiple active policy snapshots found ${where}`));
  const latest = labelled[0] ?? latestPolicySnapshotOf(policySnapshots);
  const snapshot = latest && parent.policySnapshot(nameOf(latest));
  if (snapshot === undefined) throw invalidRun(unexpected(`no latest policy snapshot found ${where}`));
  return snapshot;
}

/** Undefined if the policy asks for no number. */
function countOf({ metadata, spec }: Readonly<PolicySnapshot>, isPickN: boolean): number | undefined {
  if (spec.policy?.placementType === 'PickFixed') return spec.policy.clusterNames?.length ?? 0;
  if (!isPickN) return undefined;
  const { annotations = {} } = metadata;
  const text = Object.hasOwn(annotations, numberOfClustersAnnotation) ? annotations[numberOfClustersAnnotation] : '';
  if (text !== undefined && /^\d{1,9}$/.test(text)) return Number(text);
  const which = `the policy snapshot \`${pathOf({ metadata })}\``;
  throw invalidRun(unexpected(`${which} doesn't have valid cluster count annotation`));
}

function scheduledOf({ status }: Readonly<PolicySnapshot>) {
  return conditionOf(status?.conditions, policySnapshotConditions.scheduled);
}

type Bound = Pick<RunScope, 'selected' | 'leaving'>;

/** Undefined if a binding still follows an older policy: the scheduler has not got to it. */
function boundTo({ scheduled }: RunState, policySnapshot: string): Bound | undefined {
  const selected = new Map<string, ScheduledBinding>();
  const leaving = new Map<string, ScheduledBinding>();
  for (const binding of scheduled) {
    if (binding.state === 'Unscheduled') leaving.set(binding.cluster, binding);
    else if (binding.policySnapshot !== policySnapshot) return undefined;
    else selected.set(binding.cluster, binding);
  }
  return { selected, leaving };
}

/** A run may be limited to some clusters, as one that takes back what another run did. It removes nothing. */
function limited({ run }: RunState, { selected, leaving }: Bound): Bound {
  const { annotations = {} } = run.metadata;
  const names = Object.hasOwn(annotations, onlyClustersAnnotation) ? annotations[onlyClustersAnnotation] : undefined;
  if (names === undefined) return { selected, leaving };
  const wanted = new Set(names.split(',').map((name) => name.trim()));
  return { selected: new Map([...selected].filter(([cluster]) => wanted.has(cluster))), leaving: new Map() };
}

function labelOf({ metadata: { labels = {} } }: Pick<Readonly<KubeObject>, 'metadata'>, name: string) {
  return Object.hasOwn(labels, name) ? labels[name] : undefined;
}

function nameOf({ metadata }: Pick<Readonly<KubeObject>, 'metadata'>): string {
  return metadata.name ?? '';
}

/** As Go prints a namespaced name: one without namespace begins with a slash. */
export function pathOf({ metadata: { namespace = '', name = '' } }: Pick<Readonly<KubeObject>, 'metadata'>): string {
  return `${namespace}/${name}`;
}
