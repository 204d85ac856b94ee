/** Random runs, with a hub that is killed between any two writes: what must hold whatever happens. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { families, type StageStatus, type UpdateStage } from '@flotilla/api';
import { shareOf } from '@flotilla/kube';
import { seededRandom } from '@flotilla/testkit';
import { aStage, ofTier, World } from './runs.testing.ts';

const seeds = Array.from({ length: 60 }, (_, index) => index + 1);
const maxPasses = 2000;

class Model {
  readonly world: World;
  readonly stages: readonly UpdateStage[];
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
    this.stages = Array.from({ length: 1 + this.#below(3) }, (_, at) => this.#stage(`stage${at}`));
    const family = families[this.#below(families.length)] ?? families[0];
    if (family === undefined) throw new Error('no family');
    this.world = new World(family, this.stages);
    this.world.settings.isWithWorks = this.#below(2) === 0;
    for (let at = 0; at < 1 + this.#below(8); at++) {
      this.world.addCluster(`c${at}`, { tier: `stage${this.#below(this.stages.length)}` });
    }
    for (let at = 0; at < this.#below(3); at++) this.world.addCluster(`old${at}`, {}, 'Unscheduled');
  }

  #stage(name: string): UpdateStage {
    const maxConcurrency = [1, 2, '50%', '100%'][this.#below(4)] ?? 1;
    const beforeStageTasks = this.#below(2) === 0 ? [{ type: 'Approval' as const }] : [];
    const afterStageTasks = [
      ...(this.#below(3) === 0 ? [{ type: 'TimedWait' as const, waitTime: '30s' }] : []),
      ...(this.#below(3) === 0 ? [{ type: 'Approval' as const }] : []),
    ];
    return aStage(name, { ...ofTier(name), maxConcurrency, beforeStageTasks, afterStageTasks });
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  get hasEnded(): boolean {
    return this.world.run.status?.conditions?.some(({ type }) => type === 'Succeeded') === true;
  }

  /** A reconcile that may be cut short, and something that happens around it. */
  step(): void {
    const { world } = this;
    world.timeMs += this.#below(10_000);
    world.reconcile(this.#below(3) === 0 ? this.#below(6) : Infinity);
    const started = world.bindings.filter(({ spec }) => spec.state === 'Bound');
    const lucky = started[this.#below(started.length)];
    if (lucky !== undefined) world.report(lucky.spec.targetCluster, 'Available', 'True');
    const request = world.requests[this.#below(world.requests.length)];
    if (request?.metadata.name !== undefined && request.status === undefined && this.#below(3) === 0) {
      world.approve(request.metadata.name);
    }
    const { state } = world.run.spec;
    if (this.#below(10) === 0) world.setState(state === 'Run' ? 'Stop' : 'Run');
  }
}

describe('an update run, at every moment', () => {
  for (const seed of seeds) {
    test(`keeps its limits and its order, and ends (seed ${seed})`, () => {
      const model = new Model(seed);
      const updates = new Map<string, number>();
      let passes = 0;
      for (; passes < maxPasses && !model.hasEnded; passes++) {
        model.step();
        checkStages(model);
        for (const { spec, metadata } of model.world.bindings)
          updates.set(spec.targetCluster, metadata.generation ?? 0);
      }
      if (model.world.run.spec.state === 'Stop' && !model.hasEnded) model.world.setState('Run');
      assert.deepEqual(model.world.conditions.at(-1), 'Succeeded True UpdateRunSucceeded');
      for (const { spec } of model.world.bindings) {
        assert.equal(spec.resourceSnapshotName, 'p-0-snapshot');
        // One change each: no cluster is skipped, none is updated twice.
        assert.equal(updates.get(spec.targetCluster), 2);
      }
      assert.ok(model.world.bindings.every(({ spec }) => spec.state === 'Bound'));
    });
  }
});

/** Bindings count, not the status: what a killed hub did not record is done all the same. */
function checkStages({ world, stages }: Model): void {
  const status = world.run.status?.stagesStatus ?? [];
  for (const [at, stage] of status.entries()) {
    const bound = stage.clusters.filter(({ clusterName }) => world.binding(clusterName).spec.state === 'Bound');
    const open = bound.filter(({ clusterName }) => !isAvailable(world, clusterName));
    const limit = Math.max(1, shareOf(stages[at]?.maxConcurrency ?? 1, stage.clusters.length, Math.floor));
    assert.ok(open.length <= limit, `${open.length} of ${limit} in ${stage.stageName}`);
    if (bound.length === 0) continue;
    assert.ok(areApproved(world, stage.beforeStageTaskStatus), `${stage.stageName} is not approved`);
    for (const earlier of status.slice(0, at)) {
      assert.ok(
        earlier.clusters.every(({ clusterName }) => isAvailable(world, clusterName)),
        `${stage.stageName} is early`,
      );
      if (earlier.clusters.length > 0) assert.ok(areApproved(world, earlier.afterStageTaskStatus));
    }
  }
}

function isAvailable(world: World, cluster: string): boolean {
  return world.binding(cluster).status?.conditions?.some(({ type }) => type === 'Available') === true;
}

function areApproved({ requests }: World, tasks: StageStatus['beforeStageTaskStatus'] = []): boolean {
  return tasks
    .filter(({ type }) => type === 'Approval')
    .every(({ approvalRequestName }) =>
      requests.some(({ metadata, status }) => metadata.name === approvalRequestName && status !== undefined),
    );
}
