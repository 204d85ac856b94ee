/** Random rollouts over a small model of scheduler, works and members: what must hold whatever happens. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clusterFamily, type Binding, type PlacementPolicy } from '@flotilla/api';
import { formatTime, shareOf } from '@flotilla/kube';
import type { Plan } from '@flotilla/runtime';
import { seededRandom } from '@flotilla/testkit';
import { hasDiffReport, hasFailed } from '../family/binding-progress.ts';
import { decideRollout } from './decide.ts';
import { readinessOf } from './readiness.ts';
import { aBinding, aPlacement, aState, afterwards, effectsOf, now, strategyDefaults } from './rollout.testing.ts';

const family = clusterFamily;
const periodMs = 10_000;

type Outcome = 'ready' | 'untrackable' | 'fails' | 'hangs';

const reasons: Readonly<Record<Outcome, string>> = {
  ready: 'AllWorkAreAvailable',
  untrackable: 'NotAllWorkAreAvailabilityTrackable',
  fails: 'NotAllWorkAreAvailable',
  hangs: 'ApplyInProgress',
};

class Model {
  readonly #random: () => number;
  readonly limits: { maxUnavailable: number | string; maxSurge: number | string };
  bindings: Binding[] = [];
  version = 0;
  timeMs = now.getTime();
  policyType: 'PickAll' | 'PickN';
  wanted = 0;
  /** What each cluster makes of the resources. */
  readonly #outcomes = new Map<string, Outcome>();
  #names = 0;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.policyType = this.#pick(['PickAll', 'PickN'] as const);
    this.limits = {
      maxUnavailable: this.#pick([0, 1, 2, '25%', '50%', '100%']),
      maxSurge: this.#pick([0, 1, 2, '25%', '100%']),
    };
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)] as T;
  }

  get latest(): string {
    return `p-${this.version}-snapshot`;
  }

  get time(): Date {
    return new Date(this.timeMs);
  }

  get policy(): PlacementPolicy {
    return this.policyType === 'PickAll'
      ? { placementType: 'PickAll' }
      : { placementType: 'PickN', numberOfClusters: this.wanted };
  }

  get target(): number {
    return this.policyType === 'PickN'
      ? this.wanted
      : this.bindings.filter(({ spec }) => spec.state !== 'Unscheduled').length;
  }

  decide(): Plan {
    const placement = aPlacement(family, {
      policy: this.policy,
      rollingUpdate: { ...this.limits, unavailablePeriodSeconds: periodMs / 1000 },
    });
    const resources = {
      latest: this.latest,
      overrides: { byCluster: 'none', unreferenced: new Set<string>() },
    } as const;
    return decideRollout(aState(family, placement, this.bindings, { resources }), this.time);
  }

  /** Deleted bindings stay until their works are gone. */
  perform(plan: Plan): void {
    this.bindings = this.bindings.map((binding) => afterwards(binding, plan) ?? deleting(binding));
  }

  isReady(binding: Binding): boolean {
    return readinessOf(binding, periodMs, this.time).isReady;
  }

  outcomeOf({ spec }: Binding): Outcome {
    return this.#outcomes.get(spec.targetCluster) ?? 'ready';
  }

  /** The scheduler chooses clusters, anew or for the first time; a few more may be wanted than exist. */
  schedule(clusters: number, unfulfilled: number, outcomes: readonly Outcome[]): void {
    const chosen = new Set(Array.from({ length: clusters }, () => `c${Math.floor(this.#random() * 12)}`));
    this.wanted = chosen.size + unfulfilled;
    for (const cluster of chosen) this.#outcomes.set(cluster, this.#pick(outcomes));
    this.bindings = this.bindings.map((binding) => {
      const { state, targetCluster, resourceSnapshotName } = binding.spec;
      if (binding.metadata.deletionTimestamp !== undefined) return binding;
      const isChosen = chosen.delete(targetCluster);
      if (isChosen && state === 'Unscheduled')
        return withState(binding, resourceSnapshotName === '' ? 'Scheduled' : 'Bound');
      return isChosen || state === 'Unscheduled' ? binding : withState(binding, 'Unscheduled');
    });
    for (const cluster of chosen) {
      const name = `${cluster}-${this.#names++}`;
      this.bindings.push(aBinding(family, name, { state: 'Scheduled', cluster, generation: 1 }));
    }
    this.bindings.sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  }

  mend(): void {
    for (const cluster of this.#outcomes.keys()) this.#outcomes.set(cluster, 'ready');
  }

  /** One thing that members and works do by themselves; false if there is none. */
  step(): boolean {
    const reporting = this.bindings.filter((binding) => this.#owesReport(binding));
    const going = this.bindings.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
    if (reporting.length + going.length === 0) return false;
    const one = this.#pick([...reporting, ...going]);
    if (going.includes(one)) this.bindings = this.bindings.filter((binding) => binding !== one);
    else this.bindings = this.bindings.map((binding) => (binding === one ? this.#reported(binding) : binding));
    return true;
  }

  #owesReport(binding: Binding): boolean {
    const { metadata, spec, status } = binding;
    if (metadata.deletionTimestamp !== undefined || spec.state === 'Scheduled') return false;
    const current = (type: string) =>
      status?.conditions?.some((one) => one.type === type && one.observedGeneration === metadata.generation) ?? false;
    // Works wait for the rollout, except those of clusters that leave.
    return (spec.state === 'Unscheduled' || current('RolloutStarted')) && !current('Available') && !current('Applied');
  }

  #reported(binding: Binding): Binding {
    const outcome = this.outcomeOf(binding);
    const before = binding.status?.conditions ?? [];
    // Works report that a member has not answered.
    const type = outcome === 'hangs' ? 'Applied' : 'Available';
    const reported = {
      type,
      status: outcome === 'fails' || outcome === 'hangs' ? ('False' as const) : ('True' as const),
      reason: reasons[outcome],
      message: '',
      observedGeneration: binding.metadata.generation ?? 0,
      lastTransitionTime: formatTime(this.time),
    };
    return { ...binding, status: { conditions: [...before.filter((one) => one.type === 'RolloutStarted'), reported] } };
  }
}

function deleting(binding: Binding): Binding {
  return { ...binding, metadata: { ...binding.metadata, deletionTimestamp: formatTime(now) } };
}

function withState(binding: Binding, state: Binding['spec']['state']): Binding {
  const { metadata, spec } = binding;
  return {
    ...binding,
    metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 },
    spec: { ...spec, state },
  };
}

const isDeleting = ({ metadata }: Binding): boolean => metadata.deletionTimestamp !== undefined;

/** One reconcile. Checks the limits across its writes. */
function reconcile(model: Model): string[] {
  const { target, bindings } = model;
  const reachable = Math.min(target, bindings.length);
  const minAvailable = reachable - shareOf(model.limits.maxUnavailable, reachable, Math.ceil);
  const maxPlaced = target + shareOf(model.limits.maxSurge, target, Math.ceil);
  const available = () => model.bindings.filter((one) => model.isReady(one) && !isDeleting(one)).length;
  const isPlaced = (one: Binding) => one.spec.state !== 'Scheduled' && !hasFailed(one) && !hasDiffReport(one);
  const placed = () => model.bindings.filter(isPlaced).length;
  const [availableBefore, placedBefore] = [available(), placed()];
  const plan = model.decide();
  const effects = effectsOf(plan);
  const bound = bindings.filter(
    ({ spec, metadata }) => spec.state === 'Scheduled' && effects.includes(`update ${metadata.name}`),
  );
  model.perform(plan);
  assert.ok(available() >= Math.min(availableBefore, minAvailable), `${available()} available, ${minAvailable} needed`);
  assert.ok(bound.length === 0 || placedBefore + bound.length <= maxPlaced, `${placed()} placed, ${maxPlaced} allowed`);
  return effects;
}

/** Until nothing happens any more. Returns the number of changes. */
function run(model: Model): void {
  for (let turns = 0; turns < 2_000; turns++) {
    const effects = reconcile(model);
    if (effects.length > 0) continue;
    if (model.step()) continue;
    const { requeueAfterMs } = model.decide();
    if (requeueAfterMs === undefined) return;
    model.timeMs += requeueAfterMs;
  }
  assert.fail('the rollout does not come to rest');
}

function assertComplete(model: Model): void {
  for (const binding of model.bindings) {
    assert.equal(binding.spec.state, 'Bound');
    assert.equal(binding.spec.resourceSnapshotName, model.latest);
    const { generation } = binding.metadata;
    const started = binding.status?.conditions?.find(({ type }) => type === 'RolloutStarted');
    assert.deepEqual([started?.status, started?.observedGeneration], ['True', generation]);
    assert.deepEqual(binding.spec.applyStrategy, strategyDefaults);
  }
}

/** Whether updates and moves can go on if this many clusters never become ready. */
function isPossible(model: Model, lost: number): boolean {
  const reachable = Math.min(model.target, model.bindings.length);
  return shareOf(model.limits.maxUnavailable, reachable, Math.ceil) > lost;
}

/** Far apart, because neighbours begin with similar numbers. */
const seeds = Array.from({ length: 120 }, (_, index) => index * 1_000_003);

describe('any sequence of changes', () => {
  test('stays within the limits, comes to rest, and changes nothing afterwards', () => {
    for (const seed of seeds) {
      const model = new Model(seed);
      const random = seededRandom(seed + 1000);
      for (let round = 0; round < 6; round++) {
        if (random() < 0.6) model.version++;
        if (round === 0 || random() < 0.6) {
          const unfulfilled = random() < 0.2 ? 3 : 0;
          model.schedule(1 + Math.floor(random() * 8), unfulfilled, [
            'ready',
            'ready',
            'untrackable',
            'fails',
            'hangs',
          ]);
        }
        // Changes come in the middle of a rollout.
        for (let steps = Math.floor(random() * 12); steps > 0; steps--) {
          reconcile(model);
          model.step();
        }
      }
      run(model);
      assert.deepEqual(reconcile(model), [], `seed ${seed}`);
    }
  });

  test('reaches every cluster if all become ready', () => {
    for (const seed of seeds) {
      const model = new Model(seed);
      model.schedule(6, 0, ['ready', 'untrackable']);
      run(model);
      for (let round = 0; round < 3; round++) {
        model.version++;
        if (round === 1) model.schedule(5, 0, ['ready', 'untrackable']);
        run(model);
        if (isPossible(model, 0)) assertComplete(model);
      }
    }
  });

  test('reaches the other clusters if fewer are lost than may be unavailable', () => {
    for (const seed of seeds) {
      const model = new Model(seed);
      model.schedule(8, 0, ['ready', 'ready', 'untrackable', 'fails', 'hangs']);
      run(model);
      model.version++;
      run(model);
      const isLost = (one: Binding) => ['fails', 'hangs'].includes(model.outcomeOf(one));
      const lost = model.bindings.filter(isLost).length;
      if (!isPossible(model, lost)) continue;
      const late = model.bindings.filter((one) => !isLost(one) && one.spec.resourceSnapshotName !== model.latest);
      assert.deepEqual(late, [], `seed ${seed}`);
    }
  });

  test('leaves clusters that never answer, if the new ones become ready', () => {
    for (const seed of seeds) {
      const model = new Model(seed);
      model.schedule(4, 0, ['hangs', 'fails']);
      run(model);
      model.schedule(4, 0, ['ready']);
      run(model);
      if (isPossible(model, 0)) assertComplete(model);
    }
  });

  test('reaches every cluster if the policy wants more than there are', () => {
    for (const seed of seeds) {
      const model = new Model(seed);
      model.schedule(4, 6, ['ready', 'untrackable']);
      run(model);
      model.version++;
      run(model);
      if (isPossible(model, 0)) assertComplete(model);
    }
  });

  test('ends with the resources everywhere once a fix works on all clusters', () => {
    for (const seed of seeds) {
      const model = new Model(seed);
      model.schedule(8, 0, ['ready', 'fails']);
      run(model);
      model.mend();
      model.version++;
      run(model);
      if (isPossible(model, 0)) assertComplete(model);
    }
  });
});
