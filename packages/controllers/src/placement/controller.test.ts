import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  definitions,
  families,
  placementConditionType,
  placementLabel,
  type Placement,
  type PlacementFamily,
} from '@flotilla/api';
import { events, keyText, silentLogger, type Kind, type ObjectKey } from '@flotilla/kube';
import { EventRecorder, runControllers, type RunningControllers, type Source } from '@flotilla/runtime';
import { settle, startTestServer, type TestServer } from '@flotilla/testkit';
import { placementController } from './controller.ts';
import type { Selection, Selections } from './selection/selection.ts';
import { noDelay, selectionOf } from './state.testing.ts';

/** What placements select, as the test says. */
class FakeSelections implements Selections {
  readonly #selections = new Map<string, Selection>();
  readonly #wakes = new Set<(key: ObjectKey) => void>();
  readonly forgotten: string[] = [];

  set(key: ObjectKey, selection: Selection): void {
    this.#selections.set(keyText(key), selection);
    for (const wake of this.#wakes) wake(key);
  }

  current({ metadata: { namespace, name = '' } }: Readonly<Placement>): Selection {
    return this.#selections.get(keyText({ namespace, name })) ?? { pending: 'not yet' };
  }

  isCurrent(): boolean {
    return true;
  }

  forget(key: ObjectKey): void {
    this.forgotten.push(keyText(key));
  }

  source(): Source {
    return {
      subscribe: (wake) => {
        this.#wakes.add(wake);
        return () => this.#wakes.delete(wake);
      },
      isAtRest: () => true,
    };
  }
}

/** Placements on a server in memory, with this one controller. */
class Fixture {
  readonly server: TestServer;
  readonly family: PlacementFamily;
  readonly selections = new FakeSelections();
  readonly requests: string[] = [];
  #running: RunningControllers | undefined;
  #events: EventRecorder | undefined;

  constructor(server: TestServer, family: PlacementFamily) {
    this.server = server;
    this.family = family;
  }

  async start(settings = noDelay): Promise<void> {
    const { clock, turns } = this.server;
    const client = this.server.connect({
      wrap: (transport) => ({
        ...transport,
        send: (request) => {
          if (request.method !== 'GET')
            this.requests.push(`${request.method} ${request.path.split('/').slice(-2).join('/')}`);
          return transport.send(request);
        },
      }),
    });
    const random = (): number => 0.5;
    this.#events = new EventRecorder({ client: this.server.client, clock, turns, random, logger: silentLogger });
    const controllers = [placementController(this.family, { selections: this.selections, settings, clock })];
    this.#running = runControllers({ client, controllers, clock, turns, random, events: this.#events });
    await this.#running.ready;
    await this.settle();
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    await this.#events?.stop();
    this.requests.length = 0;
  }

  settle(): Promise<void> {
    return settle(this.server.clock, () => this.#running?.isAtRest() !== false);
  }

  key(name: string): ObjectKey {
    return { ...(this.family.placement.namespaced && { namespace: 'default' }), name };
  }

  async place(name: string, selection: Selection = selectionOf(['one']), spec: object = {}): Promise<Placement> {
    const selector = { group: '', version: 'v1', kind: 'ConfigMap', name: 'map-0' };
    const created = await this.server.create(this.family.placement, {
      metadata: this.key(name),
      spec: { resourceSelectors: [selector], ...spec },
    });
    this.selections.set(this.key(name), selection);
    await this.settle();
    return created;
  }

  async names(kind: Kind, placement: string): Promise<string[]> {
    const { items } = await this.server.client.list(kind, { labelSelector: `${placementLabel}=${placement}` });
    return items.map(({ metadata: { name = '', labels = {} } }) => {
      const isLatest = labels['kubernetes-fleet.io/is-latest-snapshot'] === 'true';
      return isLatest ? `${name} latest` : name;
    });
  }

  async scheduled(name: string): Promise<string> {
    const { status } = await this.server.client.get(this.family.placement, this.key(name));
    const type = placementConditionType(this.family.placement, 'scheduled');
    const found = status?.conditions?.find((condition) => condition.type === type);
    return `${found?.status} ${found?.reason}`;
  }
}

for (const family of families) {
  describe(`a ${family.placement.kind} on a server`, () => {
    let server: TestServer;
    let fixture: Fixture;
    before(async () => {
      const { placement, policySnapshot, resourceSnapshot, binding } = family;
      const wanted = new Set([placement, policySnapshot, resourceSnapshot, binding].map(({ kind }) => kind));
      const kinds = (await definitions()).filter(({ spec }) => wanted.has(spec.names.kind));
      server = await startTestServer({ definitions: kinds, housekeeping: true });
      fixture = new Fixture(server, family);
      await fixture.start();
    });
    after(async () => {
      await fixture.stop();
      await server.stop();
    });

    test('gets its finalizer, its snapshots and a status, with four writes', async () => {
      await fixture.place('web');
      assert.deepEqual(await fixture.names(family.policySnapshot, 'web'), ['web-0 latest']);
      assert.deepEqual(await fixture.names(family.resourceSnapshot, 'web'), ['web-0-snapshot latest']);
      assert.equal(await fixture.scheduled('web'), 'Unknown SchedulePending');
      assert.deepEqual(fixture.requests, [
        `PATCH ${family.placement.plural}/web`,
        `POST ${lastOf(family.resourceSnapshot)}`,
        `POST ${lastOf(family.policySnapshot)}`,
        'PATCH web/status',
      ]);
    });

    test('rolls on to new snapshots when what it selects changes', async () => {
      fixture.selections.set(fixture.key('web'), selectionOf(['two']));
      await fixture.settle();
      assert.deepEqual(await fixture.names(family.resourceSnapshot, 'web'), [
        'web-0-snapshot',
        'web-1-snapshot latest',
      ]);
      const { status } = await server.client.get(family.placement, fixture.key('web'));
      assert.equal(status?.observedResourceIndex, '1');
    });

    test('keeps its snapshots if only its strategy changes, and tells the scheduler the generation', async () => {
      const strategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } };
      await server.client.patch(family.placement, fixture.key('web'), { type: 'merge', value: { spec: { strategy } } });
      await fixture.settle();
      assert.deepEqual(await fixture.names(family.policySnapshot, 'web'), ['web-0 latest']);
      const { metadata } = await server.client.get(family.policySnapshot, fixture.key('web-0'));
      assert.equal(metadata.annotations?.['kubernetes-fleet.io/CRP-generation'], '2');
    });

    test('writes a group of large snapshots one after another, and repairs what a user deletes', async () => {
      await fixture.place('big', selectionOf(['a', 'b', 'c'], [800_000, 800_000, 800_000]));
      const whole = ['big-0-0', 'big-0-1', 'big-0-snapshot latest'];
      assert.deepEqual(await fixture.names(family.resourceSnapshot, 'big'), whole);
      await server.client.delete(family.resourceSnapshot, fixture.key('big-0-1'));
      await fixture.settle();
      assert.deepEqual(await fixture.names(family.resourceSnapshot, 'big'), whole);
    });

    test('writes nothing after a restart', async () => {
      await fixture.stop();
      const { revision } = server.store;
      await fixture.start();
      await server.clock.advance(3_600_000);
      assert.deepEqual(fixture.requests, []);
      assert.equal(server.store.revision, revision);
    });

    test('is deleted with its snapshots, and created again at once with new ones', async () => {
      await server.client.delete(family.placement, fixture.key('web'));
      await fixture.settle();
      assert.equal(await server.find(family.placement, fixture.key('web')), undefined);
      assert.deepEqual(await fixture.names(family.policySnapshot, 'web'), []);
      assert.deepEqual(await fixture.names(family.resourceSnapshot, 'web'), []);
      assert.ok(fixture.selections.forgotten.includes(keyText(fixture.key('web'))));
      const { items } = await server.client.list(events, {});
      assert.ok(items.some(({ reason }) => reason === 'PlacementCleanupFinalizerRemoved'));
      await fixture.place('web');
      assert.deepEqual(await fixture.names(family.resourceSnapshot, 'web'), ['web-0-snapshot latest']);
    });

    test('that lost its finalizer leaves snapshots that its successor does not take for its own', async () => {
      await server.client.patch(family.placement, fixture.key('web'), {
        type: 'merge',
        value: { metadata: { finalizers: null } },
      });
      await server.client.delete(family.placement, fixture.key('web'));
      const { metadata } = await fixture.place('web', selectionOf(['other']));
      const snapshots = await server.client.list(family.resourceSnapshot, { labelSelector: `${placementLabel}=web` });
      assert.deepEqual(
        snapshots.items.map((one) => one.metadata.ownerReferences?.[0]?.uid),
        [metadata.uid],
      );
      assert.equal(await fixture.scheduled('web'), 'Unknown SchedulePending');
    });

    test('writes its status once while 200 bindings become available one after another', async () => {
      await fixture.place('many');
      await bind(200);
      await fixture.settle();
      await server.clock.advance(1000);
      fixture.requests.length = 0;
      for (let number = 0; number < 200; number++) {
        await report(number);
        await server.clock.advance(4);
      }
      await server.clock.advance(200);
      assert.deepEqual(fixture.requests, ['PATCH many/status']);
      const { status } = await server.client.get(family.placement, fixture.key('many'));
      const type = placementConditionType(family.placement, 'available');
      assert.equal(status?.conditions?.find((one) => one.type === type)?.status, 'True');
    });

    async function bind(clusters: number): Promise<void> {
      const status = {
        observedCRPGeneration: 1,
        targetClusters: Array.from({ length: clusters }, (_, number) => decision(number)),
        conditions: [condition('Scheduled', 'SchedulingPolicyFulfilled')],
      };
      const snapshot = await server.client.get(family.policySnapshot, fixture.key('many-0'));
      await server.client.update(family.policySnapshot, { ...snapshot, status }, { subresource: 'status' });
      for (let number = 0; number < clusters; number++) {
        const spec = {
          state: 'Bound',
          targetCluster: `c${number}`,
          resourceSnapshotName: 'many-0-snapshot',
          schedulingPolicySnapshotName: 'many-0',
          clusterDecision: decision(number),
        };
        const metadata = { ...fixture.key(`many-${number}`), labels: { [placementLabel]: 'many' } };
        await server.create(family.binding, { metadata, spec });
      }
    }

    async function report(number: number): Promise<void> {
      const types = ['RolloutStarted', 'Overridden', 'WorkSynchronized', 'Applied', 'Available'];
      const status = { conditions: types.map((type) => condition(type, 'Done')) };
      await server.client.patch(
        family.binding,
        fixture.key(`many-${number}`),
        { type: 'merge', value: { status } },
        { subresource: 'status' },
      );
    }
  });
}

function lastOf(kind: Kind): string {
  return kind.namespaced ? `default/${kind.plural}` : `v1beta1/${kind.plural}`;
}

function decision(number: number) {
  return { clusterName: `c${number}`, selected: true, reason: 'picked by scheduling policy' };
}

function condition(type: string, reason: string) {
  const lastTransitionTime = '2026-01-01T00:00:00Z';
  return { type, status: 'True' as const, reason, message: '', observedGeneration: 1, lastTransitionTime };
}
