/** Random sequences of changes, deletions by hand and crashes, from fixed seeds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { families, resourceIndexLabel, type PlacementFamily } from '@flotilla/api';
import type { KubeObject } from '@flotilla/kube';
import { seededRandom } from '@flotilla/testkit';
import { indexIn, isLatest, isMaster, latestMasterOf, latestPolicySnapshotOf } from '../family/latest-snapshot.ts';
import { decidePlacement } from './decide.ts';
import { noDelay, PlacementModel, selectionOf } from './state.testing.ts';

class Run {
  readonly model: PlacementModel;
  readonly #random: () => number;
  /** By name, also of snapshots that are gone: bindings compare names. */
  readonly #content = new Map<string, string>();
  #contents: readonly string[] = ['a'];

  constructor(family: PlacementFamily, seed: number) {
    this.#random = seededRandom(seed);
    this.model = new PlacementModel(family, { revisionHistoryLimit: 1 + this.#below(4) });
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  step(): void {
    const { model } = this;
    const snapshots = [...model.policySnapshots, ...model.resourceSnapshots];
    const chance = this.#below(10);
    if (chance < 3) this.#select();
    else if (chance < 4) model.change({ policy: { placementType: 'PickFixed', clusterNames: [`c${this.#below(3)}`] } });
    else if (chance < 5) model.change({ strategy: { type: 'RollingUpdate' } });
    else if (chance < 6) this.#deleteByHand(snapshots[this.#below(snapshots.length)]);
    else if (chance < 7) this.#bind();
    else this.reconcile(this.#below(4));
    this.#check();
  }

  #select(): void {
    this.#contents = Array.from({ length: this.#below(4) }, () => `text ${this.#below(3)}`);
    const sizes = this.#contents.map(() => 300_000 + this.#below(700_000));
    this.model.selection = selectionOf(this.#contents, sizes);
  }

  #deleteByHand(snapshot: KubeObject | undefined): void {
    if (snapshot === undefined) return;
    const { policySnapshot, resourceSnapshot } = this.model.family;
    const kind = snapshot.kind === policySnapshot.kind ? policySnapshot : resourceSnapshot;
    this.model.remove(kind, snapshot.metadata.name ?? '');
  }

  /** The rollout follows: bindings use the latest group. */
  #bind(): void {
    const { model } = this;
    if (this.#below(3) === 0) model.bindings = [];
    const latest = latestMasterOf(model.resourceSnapshots)?.metadata.name ?? '';
    model.bind(`c${this.#below(3)}`, latest, latestPolicySnapshotOf(model.policySnapshots)?.metadata.name ?? '');
  }

  /** Performs so many writes, and no more: a crash. */
  reconcile(writes = Infinity): number {
    const { model } = this;
    const plan = decidePlacement(model.state, noDelay, model.now);
    const steps = plan.steps.map((step) => step.filter(({ kind }) => kind !== model.family.placement));
    const hadPolicy = latestPolicySnapshotOf(model.policySnapshots) !== undefined;
    const hadResources = latestMasterOf(model.resourceSnapshots) !== undefined;
    const performed = model.perform({ steps }, writes);
    if (hadPolicy) assert.ok(latestPolicySnapshotOf(model.policySnapshots), 'there is a latest policy at every moment');
    if (hadResources) assert.ok(latestMasterOf(model.resourceSnapshots), 'there is a latest group at every moment');
    return performed;
  }

  /** At every moment. */
  #check(): void {
    const { policySnapshots, resourceSnapshots } = this.model;
    assert.ok(policySnapshots.filter(isLatest).length <= 1, 'at most one policy has the label');
    assert.ok(resourceSnapshots.filter(isLatest).length <= 1, 'at most one group has the label');
    for (const snapshot of [...policySnapshots, ...resourceSnapshots]) this.#checkContent(snapshot);
  }

  #checkContent(snapshot: KubeObject): void {
    const { name = '' } = snapshot.metadata;
    const content = JSON.stringify(snapshot['spec']);
    if (this.model.bindings.some(({ spec }) => spec.resourceSnapshotName === name)) {
      assert.equal(this.#content.get(name) ?? content, content, `${name} has other content than the one in use`);
    }
    this.#content.set(name, content);
  }

  /** When nothing changes any more. */
  checkQuiet(): void {
    let rounds = 0;
    while (this.reconcile() > 0) assert.ok(++rounds < 30, 'it never rests');
    const { policySnapshots, resourceSnapshots, bindings, placement } = this.model;
    assert.equal(policySnapshots.filter(isLatest).length, 1);
    assert.equal(resourceSnapshots.filter(isLatest).length, 1);
    const latest = latestMasterOf(resourceSnapshots);
    assert.ok(latest && isLatest(latest));
    const index = indexIn(latest, resourceIndexLabel);
    const group = resourceSnapshots.filter((snapshot) => indexIn(snapshot, resourceIndexLabel) === index);
    const texts = group.toSorted((a, b) => position(a) - position(b)).flatMap(({ spec }) => spec.selectedResources);
    assert.deepEqual(
      texts.map(({ data }) => (data as { text: string }).text),
      this.#contents,
      'content is the selection',
    );
    const used = new Set(bindings.map(({ spec }) => spec.resourceSnapshotName));
    const unused = resourceSnapshots.filter((one) => isMaster(one) && !used.has(one.metadata.name ?? ''));
    assert.ok(unused.length <= placement.spec.revisionHistoryLimit, 'history has its limit');
  }
}

function position(snapshot: KubeObject): number {
  return isMaster(snapshot)
    ? -1
    : Number(snapshot.metadata.annotations?.['kubernetes-fleet.io/subindex-of-resource-snapshot']);
}

for (const family of families) {
  test(`snapshots of a ${family.placement.kind} are right at every moment of random histories`, () => {
    for (let seed = 1; seed <= 60; seed++) {
      const run = new Run(family, seed);
      for (let steps = 0; steps < 40; steps++) run.step();
      run.checkQuiet();
    }
  });
}
