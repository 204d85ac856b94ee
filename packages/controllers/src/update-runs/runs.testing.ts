/** A placement with clusters, and runs of it, for tests: plans change the world as a server would. */
import {
  latestLabel,
  policyIndexLabel,
  resourceHashAnnotation,
  resourceIndexLabel,
  type ApprovalRequest,
  type Binding,
  type Condition,
  type MemberCluster,
  type PlacementFamily,
  type PolicySnapshot,
  type UpdateRun,
  type UpdateRunSpec,
  type UpdateStage,
  type UpdateStrategy,
} from '@flotilla/api';
import { apiVersionOf, applyMergePatch, formatTime, type KubeObject } from '@flotilla/kube';
import type { Write } from '@flotilla/runtime';
import { StartedRollouts, type StartingPlan } from '../family/started-rollouts.ts';
import type { PlacementState } from '../placement/placement-state.ts';
import { aBinding, aPlacement, namespaceOf } from '../rollout/rollout.testing.ts';
import { decideRun } from './decide.ts';
import { scheduledIn, type RunState } from './run-state.ts';

export const start = new Date('2026-01-01T12:00:00Z');

/** A stage of all clusters, one at a time, unless it says otherwise. */
export function aStage(name: string, changes: Partial<UpdateStage> = {}): UpdateStage {
  return { name, labelSelector: {}, maxConcurrency: 1, ...changes };
}

/** Selects the clusters with this value of the label `tier`. */
export function ofTier(tier: string): Pick<UpdateStage, 'labelSelector'> {
  return { labelSelector: { matchLabels: { tier } } };
}

export class World {
  readonly family: PlacementFamily;
  run: UpdateRun;
  placement;
  policy: PolicySnapshot;
  strategy: UpdateStrategy | undefined;
  readonly clusters = new Map<string, MemberCluster>();
  bindings: Binding[] = [];
  snapshots: KubeObject[] = [];
  requests: ApprovalRequest[] = [];
  others: UpdateRun[] = [];
  timeMs = start.getTime() + 60_000;
  /** What the hub remembers of rollouts that works has to report. */
  started = new StartedRollouts({ elapsed: () => this.timeMs });
  settings = { isWithWorks: false, requiresSameStrategy: false, stuckAfterMs: 5 * 60_000 };

  constructor(family: PlacementFamily, stages: readonly UpdateStage[], spec: Partial<UpdateRunSpec> = {}) {
    this.family = family;
    this.placement = aPlacement(family, { strategy: { type: 'External' } });
    this.run = this.#object(family.updateRun, 'run', {
      spec: { placementName: 'p', resourceSnapshotIndex: '0', stagedRolloutStrategyName: 's', state: 'Run', ...spec },
    }) as UpdateRun;
    this.strategy = this.#object(family.updateStrategy, 's', { spec: { stages: [...stages] } }) as UpdateStrategy;
    this.policy = this.#object(family.policySnapshot, 'p-0', {
      spec: { policyHash: '', policy: { placementType: 'PickAll' } },
      status: { conditions: [condition('Scheduled', 'True', 1)] },
    }) as PolicySnapshot;
    this.policy.metadata.labels = { [latestLabel]: 'true', [policyIndexLabel]: '0' };
    this.addSnapshot(0);
  }

  #object(kind: PlacementFamily['updateRun' | 'policySnapshot' | 'updateStrategy'], name: string, rest: object) {
    const metadata = { name, ...namespaceOf(this.family), uid: name, generation: 1, resourceVersion: '1' };
    const creationTimestamp = formatTime(start);
    return { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { ...metadata, creationTimestamp }, ...rest };
  }

  addSnapshot(index: number): void {
    const labels = { [resourceIndexLabel]: String(index), [latestLabel]: 'true' };
    const metadata = { name: `p-${index}-snapshot`, uid: `s${index}`, labels };
    const annotations = { [resourceHashAnnotation]: 'hash' };
    this.snapshots.push({ apiVersion: 'v1', kind: 'x', metadata: { ...metadata, annotations } });
  }

  /** A user has changed the policy, and the scheduler has decided. */
  renewPolicy(): void {
    const labels = { ...this.policy.metadata.labels, [policyIndexLabel]: '1' };
    this.policy.metadata = { ...this.policy.metadata, labels, creationTimestamp: formatTime(new Date(this.timeMs)) };
  }

  /** A cluster that the policy has chosen, or that it no longer wants. */
  addCluster(name: string, labels: Record<string, string> = {}, state: Binding['spec']['state'] = 'Scheduled'): void {
    const metadata = { name, labels };
    this.clusters.set(name, { apiVersion: 'v1', kind: 'MemberCluster', metadata } as MemberCluster);
    this.bindings.push(aBinding(this.family, `b-${name}`, { cluster: name, state, generation: 1 }));
  }

  binding(cluster: string): Binding {
    const found = this.bindings.find(({ spec }) => spec.targetCluster === cluster);
    if (found === undefined) throw new Error(`no binding of ${cluster}`);
    return found;
  }

  /** What the works controller says about the resources of a cluster, and about rollouts that are left to it. */
  report(cluster: string, type: 'Available' | 'Applied', status: 'True' | 'False', reason = 'Reported'): void {
    const binding = this.binding(cluster);
    const conditions = (this.started.shown(binding).status?.conditions ?? []).filter((one) => one.type !== type);
    const { generation = 0 } = binding.metadata;
    binding.status = { conditions: [...conditions, { ...condition(type, status, generation), reason }] };
  }

  approve(name: string): void {
    const request = this.requests.find(({ metadata }) => metadata.name === name);
    if (request === undefined) throw new Error(`no request ${name}`);
    request.status = { conditions: [condition('Approved', 'True', request.metadata.generation ?? 0)] };
  }

  setState(state: UpdateRunSpec['state']): void {
    const { metadata } = this.run;
    this.run = { ...this.run, metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 } };
    this.run.spec = { ...this.run.spec, state };
  }

  get state(): RunState {
    const { family, run, strategy, settings } = this;
    const parent: PlacementState = {
      family,
      placement: this.placement,
      policySnapshots: [this.policy],
      resourceSnapshots: this.snapshots,
      bindings: this.bindings,
      selection: { pending: 'not in this test' },
      policySnapshot: () => this.policy,
      resourceSnapshot: () => undefined,
      isTaken: () => false,
    };
    return {
      family,
      run,
      strategy,
      settings,
      parent,
      scheduled: this.bindings.map(scheduledIn),
      binding: ({ cluster }) => {
        const { bindings, leftForMs } = this.started.left([this.binding(cluster)]);
        return bindings[0] && { binding: bindings[0], leftForMs };
      },
      cluster: (name) => this.clusters.get(name),
      approval: (name) => this.requests.find(({ metadata }) => metadata.name === name),
      approvals: () => this.requests,
      overridesIn: () => () => ({ clusterResourceOverrideSnapshots: [], resourceOverrideSnapshots: [] }),
      isSelectionCurrent: () => true,
      others: () => this.others,
    };
  }

  decide(): StartingPlan {
    return decideRun(this.state, new Date(this.timeMs));
  }

  /** Reconciles once. With `most`, the hub is killed after so many writes. Returns how many writes there were. */
  reconcile(most = Infinity): number {
    const { steps } = this.started.announce(this.decide());
    let done = 0;
    for (const write of steps.flat()) {
      if (done >= most) {
        this.started = new StartedRollouts({ elapsed: () => this.timeMs });
        return done;
      }
      done++;
      this.#perform(write);
    }
    return done;
  }

  /** Reconciles until nothing changes. */
  settle(): void {
    for (let pass = 0; pass < 20; pass++) {
      const before = JSON.stringify([this.run, this.bindings, this.requests]);
      this.reconcile();
      if (JSON.stringify([this.run, this.bindings, this.requests]) === before) return;
    }
    throw new Error('the run does not settle');
  }

  #perform(write: Write): void {
    if (write.verb === 'create') {
      const request = { ...write.object, metadata: { ...write.object.metadata, generation: 1, uid: 'r' } };
      this.requests.push(request as ApprovalRequest);
      return;
    }
    if (!('key' in write)) throw new Error(`unexpected ${write.verb}`);
    const { name } = write.key;
    if (write.verb === 'delete') {
      this.bindings = this.bindings.filter(({ metadata }) => metadata.name !== name);
      this.requests = this.requests.filter(({ metadata }) => metadata.name !== name);
      return;
    }
    if (write.verb !== 'patch') throw new Error(`unexpected ${write.verb}`);
    if (write.kind === this.family.updateRun) this.run = patched(this.run, write);
    else if (write.kind === this.family.binding)
      this.bindings = this.bindings.map((one) => patchedIf(one, name, write));
    else this.requests = this.requests.map((one) => patchedIf(one, name, write));
  }

  /** `canary: a=done b=started c=waiting`, for each stage. */
  get progress(): string[] {
    return (this.run.status?.stagesStatus ?? []).map(({ stageName, clusters }) => {
      const shown = clusters.map(({ clusterName, conditions = [] }) => {
        const has = (type: string): boolean => conditions.some((one) => one.type === type && one.status === 'True');
        return `${clusterName}=${has('Succeeded') ? 'done' : has('Started') ? 'started' : 'waiting'}`;
      });
      return `${stageName}: ${shown.join(' ')}`;
    });
  }

  /** `Progressing False UpdateRunWaiting`, for each condition. */
  get conditions(): string[] {
    return (this.run.status?.conditions ?? []).map(({ type, status, reason }) => `${type} ${status} ${reason}`);
  }

  messageOf(type: string): string {
    return this.run.status?.conditions?.find((one) => one.type === type)?.message ?? '';
  }
}

function patchedIf<T extends KubeObject>(object: T, name: string, write: Write & { verb: 'patch' }): T {
  return object.metadata.name === name ? patched(object, write) : object;
}

function patched<T extends KubeObject>(object: T, { patch, subresource, kind }: Write & { verb: 'patch' }): T {
  const { generation = 0, resourceVersion } = object.metadata;
  const result = applyMergePatch(object, patch) as T;
  const isSpecChanged = subresource === undefined && 'spec' in patch && kind !== undefined;
  return {
    ...result,
    metadata: { ...result.metadata, resourceVersion, generation: generation + (isSpecChanged ? 1 : 0) },
  };
}

function condition(type: string, status: Condition['status'], observedGeneration: number): Condition {
  return { type, status, reason: type, message: '', observedGeneration, lastTransitionTime: formatTime(start) };
}
