/** Decisions about Deployments on a model of a cluster, in which sets and pods lag behind as a seed says. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ApiError } from '@flotilla/kube';
import type { Plan, Write } from '@flotilla/runtime';
import { seededRandom } from '@flotilla/testkit';
import { kinds, type Deployment, type DeploymentStatus, type ReplicaSet } from '../kinds.ts';
import { decideDeployment, type DeploymentState } from './decide-deployment.ts';
import { isComplete } from './deployment-status.ts';
import { desiredReplicas, maxSurge, maxUnavailable } from './limits.ts';
import { findNewSet } from './new-replica-set.ts';
import { sizeOf, sum } from './rollout.ts';

const now = new Date('2026-01-01T00:00:00Z');

interface ModelSet {
  object: ReplicaSet;
  ready: number;
  unready: number;
}

class Model {
  deployment: Deployment;
  sets: ModelSet[] = [];
  readonly #random: () => number;

  constructor(replicas: number, surge: number, unavailable: number, random: () => number) {
    this.#random = random;
    const rollingUpdate = { maxSurge: surge, maxUnavailable: unavailable };
    this.deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'default', uid: 'web', generation: 1 },
      spec: {
        replicas,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ image: 'web:0' }] } },
        strategy: { type: 'RollingUpdate', rollingUpdate },
        progressDeadlineSeconds: 600,
        revisionHistoryLimit: 1,
      },
    };
  }

  change(spec: Partial<Deployment['spec']>): void {
    const { metadata } = this.deployment;
    const generation = (metadata.generation ?? 0) + 1;
    this.deployment = {
      ...this.deployment,
      metadata: { ...metadata, generation },
      spec: { ...this.deployment.spec, ...spec },
    };
  }

  setImage(image: string): void {
    this.change({ template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ image }] } } });
  }

  get state(): DeploymentState {
    const sets = this.sets.map(({ object }) => object);
    const newSet = findNewSet(this.deployment, sets);
    const oldSets = sets.filter((set) => set !== newSet);
    const hash = `h${this.deployment.metadata.generation}`;
    const proposal = newSet === undefined ? { hash, isTaken: false } : undefined;
    return { rollout: { deployment: this.deployment, newSet, oldSets }, claims: [], proposal, hasOldPods: false };
  }

  /** One turn of the controller. Returns the number of writes. */
  decide(): number {
    const writes = decideDeployment(this.state, now).steps.flat();
    for (const write of writes) this.#perform(write);
    return writes.length;
  }

  /** A set, a pod or the controller takes one step. */
  step(): void {
    const chance = this.#random();
    const set = this.sets[Math.floor(this.#random() * this.sets.length)];
    if (set === undefined || chance < 0.4) this.decide();
    else if (chance < 0.7) this.reconcile(set);
    else if (set.unready > 0) [set.ready, set.unready] = [set.ready + 1, set.unready - 1];
  }

  /** Creates and deletes the pods of a set, and writes its status. */
  reconcile(set: ModelSet): void {
    const { metadata } = set.object;
    const excess = set.ready + set.unready - sizeOf(set.object);
    if (excess < 0) set.unready -= excess;
    const deleted = Math.min(set.unready, Math.max(0, excess));
    set.unready -= deleted;
    if (excess > deleted) set.ready -= excess - deleted;
    const counts = { replicas: set.ready + set.unready, readyReplicas: set.ready, availableReplicas: set.ready };
    const status = { ...counts, terminatingReplicas: 0, observedGeneration: metadata.generation ?? 0 };
    set.object = { ...set.object, status };
  }

  /** Lets everything happen until nothing does. */
  finish(): void {
    for (let turns = 0; turns < 200; turns++) {
      for (const set of this.sets) {
        [set.ready, set.unready] = [set.ready + set.unready, 0];
        this.reconcile(set);
      }
      if (this.decide() === 0) return;
    }
    assert.fail('still writes after 200 turns');
  }

  get ready(): number {
    return sum(this.sets, ({ ready }) => ready);
  }

  get size(): number {
    return sum(this.sets, ({ object }) => sizeOf(object));
  }

  #perform(write: Write): void {
    if (write.verb === 'create') {
      const metadata = { ...write.object.metadata, uid: write.object.metadata.name ?? '', generation: 1 };
      const creationTimestamp = new Date(now.getTime() + 1000 * this.sets.length).toISOString();
      const object = { ...write.object, metadata: { ...metadata, creationTimestamp } };
      this.sets.push({ object, ready: 0, unready: 0 });
    } else if (write.verb === 'update' && write.kind === kinds.deployment) {
      this.deployment = write.object;
    } else if (write.verb === 'update') {
      const set = this.sets.find(({ object }) => object.metadata.uid === write.object.metadata.uid);
      assert.ok(set);
      const { metadata } = write.object;
      const isResized = sizeOf(write.object) !== sizeOf(set.object);
      const generation = (metadata.generation ?? 0) + (isResized ? 1 : 0);
      set.object = { ...write.object, metadata: { ...metadata, generation } };
    } else if (write.verb === 'patch') {
      const set = this.sets.find(({ object }) => object.metadata.name === write.key.name);
      assert.ok(set);
      const { metadata, spec } = set.object;
      const replicas = (write.patch['spec'] as { replicas: number }).replicas;
      const generation = (metadata.generation ?? 0) + 1;
      set.object = { ...set.object, metadata: { ...metadata, generation }, spec: { ...spec, replicas } };
    } else if (write.verb === 'delete') {
      this.sets = this.sets.filter(({ object }) => object.metadata.uid !== write.uid);
    }
  }
}

function startedModel(seed: number): { readonly model: Model; readonly random: () => number } {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const surge = below(4);
  const model = new Model(1 + below(10), surge, surge === 0 ? 1 + below(4) : below(4), random);
  model.finish();
  return { model, random };
}

describe('a rollout', () => {
  test('never has too many pods or too few available ones, however late the sets and pods are', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const { model, random } = startedModel(seed);
      const { deployment } = model;
      const [desired, most] = [desiredReplicas(deployment), desiredReplicas(deployment) + maxSurge(deployment)];
      const least = desired - maxUnavailable(deployment);
      for (let steps = 0; steps < 200; steps++) {
        if (random() < 0.03) model.setImage(`web:${Math.floor(random() * 3)}`);
        model.step();
        assert.ok(model.size <= most, `seed ${seed}: ${model.size} pods, at most ${most}`);
        assert.ok(model.ready >= least, `seed ${seed}: ${model.ready} available, at least ${least}`);
      }
    }
  });

  test('ends with all pods in the new set, and keeps no more history than it should, whatever happened before', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const { model, random } = startedModel(seed);
      for (let steps = 0; steps < 100; steps++) {
        if (random() < 0.05) model.setImage(`web:${Math.floor(random() * 3)}`);
        if (random() < 0.05) model.change({ replicas: Math.floor(random() * 12) });
        if (random() < 0.05) model.change({ paused: random() < 0.5 });
        model.step();
      }
      model.change({ paused: false });
      model.finish();
      const { rollout } = model.state;
      assert.ok(isComplete(model.deployment, model.deployment.status as DeploymentStatus), `seed ${seed}`);
      assert.equal(rollout.newSet?.spec?.replicas, desiredReplicas(model.deployment));
      assert.ok(rollout.oldSets.length <= 1, `seed ${seed}: ${rollout.oldSets.length} old sets`);
      const progress = model.deployment.status?.conditions?.find(({ type }) => type === 'Progressing');
      assert.equal(progress?.reason, 'NewReplicaSetAvailable');
    }
  });
});

describe('a ReplicaSet that the server refuses', () => {
  function refusal(cause: string | undefined): Pick<Plan, 'steps' | 'events'> | undefined {
    const model = new Model(1, 1, 0, () => 0);
    const message = 'replicasets.apps "web-h1" is forbidden: no';
    const causes = cause === undefined ? {} : { details: { causes: [{ reason: cause, message: '', field: '' }] } };
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'Forbidden',
      code: 403,
    };
    const error = new ApiError({ ...status, message, ...causes } as ConstructorParameters<typeof ApiError>[0]);
    return decideDeployment(model.state, now).refused?.(error);
  }

  test('is reported by an event and a condition', () => {
    const { steps = [], events = [] } = refusal(undefined) ?? {};
    const message = 'Failed to create new replica set "web-h1": replicasets.apps "web-h1" is forbidden: no';
    assert.deepEqual(
      events.map(({ type, reason, message: text }) => [type, reason, text]),
      [['Warning', 'ReplicaSetCreateError', message]],
    );
    const [write] = steps.flat();
    assert.ok(write?.verb === 'update');
    const [condition] = (write.object['status'] as DeploymentStatus).conditions ?? [];
    assert.deepEqual(
      [condition?.type, condition?.status, condition?.reason, condition?.message],
      ['Progressing', 'False', 'ReplicaSetCreateError', message],
    );
  });

  test('is not reported in a namespace that is being deleted', () => {
    assert.deepEqual(refusal('NamespaceTerminating'), { steps: [] });
  });
});
