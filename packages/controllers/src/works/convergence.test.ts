/** Random changes, agents that report or not, refused requests and restarts. In the end a fresh controller has nothing to do. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { families, works, type Binding, type PlacementFamily, type Work } from '@flotilla/api';
import { ignoreNotFound, isConflict, isNotFound, namespaces } from '@flotilla/kube';
import { seededRandom, startTestHub, type TestHub } from '@flotilla/testkit';
import { aBinding, aCondition, aConfigMap, aManifest, aSnapshot, namespaceIn, reporting } from './works.testing.ts';

const members = ['sea', 'lake'];
const cleanUp = 'kubernetes-fleet.io/work-cleanup';

class World {
  readonly hub: TestHub;
  readonly #random: () => number;
  #count = 0;

  constructor(hub: TestHub, seed: number) {
    this.hub = hub;
    this.#random = seededRandom(seed);
    hub.shouldRefuse = ({ method }) => method !== 'GET' && this.isRefusing && this.#random() < 0.2;
  }

  isRefusing = true;

  #oneOf<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#random() * list.length)];
  }

  async step(): Promise<void> {
    const family = this.#oneOf(families);
    const actions = [
      () => this.#addSnapshot(family),
      () => this.#bind(family),
      () => this.#roll(family),
      () => this.#roll(family),
      () => this.#agent(),
      () => this.#agent(),
      () => this.#agent(),
      () => this.#deleteWork(),
      () => this.#unbind(family),
      () => this.#restart(),
    ];
    try {
      await this.#oneOf(actions)?.();
    } catch (error) {
      // The controllers were faster.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
    await this.hub.clock.advance(Math.floor(this.#random() * 200));
  }

  async #addSnapshot(family = families[0]): Promise<void> {
    if (family === undefined) return;
    const count = 1 + Math.floor(this.#random() * 3);
    const index = String(this.#count++);
    for (let part = count - 2; part >= -1; part--) {
      const options = part < 0 ? { count } : { subindex: String(part) };
      const { metadata, spec } = aSnapshot(family, [aConfigMap(`m${index}`)], options);
      const { uid: _uid, creationTimestamp: _time, labels, name = '', ...rest } = metadata;
      const indexed = { ...labels, 'kubernetes-fleet.io/resource-index': index };
      const named = { ...rest, name: name.replace('-4-', `-${index}-`), labels: indexed };
      await this.hub.server.create(family.resourceSnapshot, { metadata: named, spec });
    }
  }

  async #newest(family: PlacementFamily): Promise<string | undefined> {
    const { items } = await this.hub.client.list(family.resourceSnapshot);
    return this.#oneOf(items.filter(({ metadata }) => metadata.name?.endsWith('snapshot')))?.metadata.name;
  }

  /** One binding for each cluster at a time, as the scheduler makes them, but sometimes while the last one is being deleted. */
  async #bind(family = families[0]): Promise<void> {
    const cluster = this.#oneOf(members);
    const resourceSnapshotName = family && (await this.#newest(family));
    if (family === undefined || cluster === undefined || resourceSnapshotName === undefined) return;
    const bindings = await this.#bindings(family);
    const isTaken = ({ spec, metadata }: Binding) => spec.targetCluster === cluster && !metadata.deletionTimestamp;
    if (bindings.some(isTaken)) return;
    const { metadata, spec } = aBinding(family, { resourceSnapshotName, targetCluster: cluster });
    const { namespace, labels } = metadata;
    const named = { name: `web-${cluster}-${this.#count++}`, namespace, labels };
    await this.#start(family, await this.hub.server.create(family.binding, { metadata: named, spec }));
  }

  async #roll(family = families[0]): Promise<void> {
    const binding = family && this.#oneOf(await this.#bindings(family));
    const resourceSnapshotName = family && (await this.#newest(family));
    if (family === undefined || binding === undefined || resourceSnapshotName === undefined) return;
    const spec = { ...binding.spec, resourceSnapshotName };
    await this.#start(family, await this.hub.client.update(family.binding, { ...binding, spec }));
  }

  async #start(family: PlacementFamily, binding: Binding): Promise<void> {
    const started = aCondition('RolloutStarted', 'True', { observedGeneration: binding.metadata.generation ?? 0 });
    const others = (binding.status?.conditions ?? []).filter(({ type }) => type !== started.type);
    const status = { ...binding.status, conditions: [started, ...others] };
    await this.hub.client.update(family.binding, { ...binding, status }, { subresource: 'status' });
  }

  async #unbind(family = families[0]): Promise<void> {
    const binding = family && this.#oneOf(await this.#bindings(family));
    if (family === undefined || binding === undefined) return;
    const { namespace, name = '' } = binding.metadata;
    await this.hub.client.delete(family.binding, { namespace, name }).catch(ignoreNotFound);
  }

  async #bindings(family: PlacementFamily): Promise<readonly Binding[]> {
    return (await this.hub.client.list(family.binding)).items;
  }

  async #deleteWork(): Promise<void> {
    const { namespace, name = '' } = (await this.#work())?.metadata ?? {};
    if (namespace !== undefined) await this.hub.client.delete(works, { namespace, name });
  }

  async #work(): Promise<Work | undefined> {
    return this.#oneOf((await this.hub.client.list(works)).items);
  }

  async #agent(): Promise<void> {
    const work = await this.#work();
    if (work !== undefined) await this.#reconcileWork(work);
  }

  async #reconcileWork(work: Work): Promise<void> {
    const { finalizers = [], deletionTimestamp, generation = 0 } = work.metadata;
    if (deletionTimestamp !== undefined || !finalizers.includes(cleanUp)) {
      const next = deletionTimestamp === undefined ? [cleanUp] : [];
      await this.hub.client.update(works, { ...work, metadata: { ...work.metadata, finalizers: next } });
      return;
    }
    const isApplied = this.#random() < 0.7;
    const manifest = aManifest('a', [aCondition('Applied', isApplied ? 'True' : 'False')]);
    const conditions = isApplied ? ['Applied=True', 'Available=True'] : ['Applied=False'];
    const status = reporting(conditions, [manifest], generation);
    await this.hub.client.update(works, { ...work, status }, { subresource: 'status' });
  }

  async #restart(): Promise<void> {
    await this.hub.stopControllers();
    await this.hub.startControllers();
  }

  /** All agents finish what they have to delete. */
  async finish(): Promise<void> {
    this.isRefusing = false;
    for (let round = 0; round < 5; round++) {
      await this.hub.settle();
      const { items } = await this.hub.client.list(works);
      for (const work of items) if (work.metadata.deletionTimestamp !== undefined) await this.#reconcileWork(work);
    }
    await this.hub.settle();
    await this.hub.clock.advance(60_000);
    await this.hub.settle();
  }
}

for (const seed of [13, 7_932, 15_851, 23_770]) {
  test(`after random changes, a fresh controller finds nothing to do (seed ${seed})`, async () => {
    const hub = await startTestHub({ controllers: ['clusters', 'works'] });
    await hub.server.create(namespaces, { metadata: { name: 'shop' } });
    for (const name of members) await hub.addMember(name);
    const world = new World(hub, seed);
    for (let step = 0; step < 100; step++) await world.step();
    await world.finish();

    const before = hub.revision;
    await hub.stopControllers();
    await hub.startControllers();
    await hub.clock.advance(600_000);
    await hub.settle();
    assert.equal(hub.revision, before);
    for (const family of families) {
      const { items } = await hub.client.list(family.binding);
      assert.deepEqual(
        items.filter(({ metadata }) => metadata.deletionTimestamp !== undefined),
        [],
      );
      for (const { spec, metadata, status } of items) {
        const namespace = `fleet-member-${spec.targetCluster}`;
        const own = (await hub.client.list(works, { namespace })).items.filter(
          ({ metadata: { labels = {} } }) =>
            labels['kubernetes-fleet.io/parent-resource-binding'] === metadata.name &&
            labels['kubernetes-fleet.io/parent-placement-namespace'] === namespaceIn(family),
        );
        const index = /-(\d+)-snapshot$/.exec(spec.resourceSnapshotName)?.[1];
        assert.notEqual(own.length, 0);
        for (const {
          metadata: { labels = {} },
        } of own) {
          assert.equal(labels['kubernetes-fleet.io/parent-resource-snapshot-index'], index);
        }
        const synced = status?.conditions?.find(({ type }) => type === 'WorkSynchronized');
        assert.deepEqual([synced?.status, synced?.observedGeneration], ['True', metadata.generation]);
      }
    }
    await hub.stop();
  });
}
