import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiErrors, configMaps, secrets, type KubeObject } from '@flotilla/kube';
import { itself, type Controller } from './controller.ts';
import { InvariantError } from './failures.ts';
import { indexByLabel } from './informer/label-index.ts';
import { nothingToDo } from './plan.ts';
import { configMap, startTestServer } from '@flotilla/testkit';
import { runControllers } from './run-controllers.ts';
import { ControllerFixture, copier } from './controllers.testing.ts';

/** Watches ConfigMaps; the test decides. */
function watcher(
  decide: (map: KubeObject, now: Date) => ReturnType<Controller['decide']>,
  name = 'watcher',
): Controller<KubeObject> {
  return {
    name,
    watches: [{ kind: configMaps, concerns: itself }],
    observe: (key, cache) => cache.get(configMaps, key),
    decide,
  };
}

describe('controllers', () => {
  test('write until the state is as decided, and then nothing', async () => {
    const fixture = new ControllerFixture();
    fixture.put(configMap('a', { tide: 'high' }));
    fixture.put(configMap('b', { tide: 'low' }));
    const running = fixture.run(copier);
    await fixture.clock.advance(100);
    await running.ready;
    assert.deepEqual(fixture.writes, ['POST secrets', 'POST secrets']);
    fixture.put(configMap('a', { tide: 'low' }));
    await fixture.clock.advance(100);
    assert.deepEqual(fixture.writes.slice(2), ['PUT secrets/a']);
    assert.equal(running.isAtRest(), true);
    fixture.server.bookmark();
    fixture.server.cut();
    await fixture.clock.advance(3_600_000);
    assert.equal(fixture.writes.length, 3);
  });

  test('reconcile once for all changes within the delay of a watch', async () => {
    const fixture = new ControllerFixture();
    const reconciled: string[] = [];
    fixture.run({
      name: 'patient',
      watches: [{ kind: configMaps, concerns: () => [{ name: 'all' }], afterMs: () => 50 }],
      observe: ({ name }) => void reconciled.push(name),
      decide: () => nothingToDo,
    });
    await fixture.clock.advance(100);
    fixture.put(configMap('a'));
    await fixture.clock.advance(40);
    fixture.put(configMap('b'));
    assert.deepEqual(reconciled, []);
    await fixture.clock.advance(1000);
    assert.deepEqual(reconciled, ['all']);
  });

  test('reconcile the keys that a source wakes, and rest only while it does', async () => {
    const fixture = new ControllerFixture();
    const reconciled: string[] = [];
    const wakes = new Set<(key: { readonly name: string }) => void>();
    let isAtRest = true;
    let isStopped = false;
    const running = fixture.run({
      name: 'woken',
      watches: [{ kind: configMaps, concerns: () => [] }],
      sources: [
        {
          subscribe: (wake) => {
            wakes.add(wake);
            return () => void wakes.delete(wake);
          },
          isAtRest: () => isAtRest,
          stop: async () => void (isStopped = true),
        },
      ],
      observe: ({ name }) => void reconciled.push(name),
      decide: () => nothingToDo,
    });
    await fixture.clock.advance(100);
    for (const wake of wakes) wake({ name: 'tide' });
    await fixture.clock.advance(100);
    assert.deepEqual(reconciled, ['tide']);
    assert.equal(running.isAtRest(), true);
    isAtRest = false;
    assert.equal(running.isAtRest(), false);
    await running.stop();
    assert.equal(wakes.size, 0);
    assert.equal(isStopped, true);
  });

  test('can read all kinds that they watch to find what an existing object concerns', async () => {
    const server = await startTestServer();
    await server.client.create(configMaps, configMap('a'));
    await server.create(secrets, { metadata: { name: 'b', namespace: 'default' } });
    const reconciled: string[] = [];
    const selecting: Controller = {
      name: 'selecting',
      watches: [
        {
          kind: configMaps,
          concerns: (_now, _old, cache) => cache.list(secrets).map(({ metadata: { name = '' } }) => ({ name })),
        },
        { kind: secrets, concerns: () => [] },
      ],
      observe: ({ name }) => void reconciled.push(name),
      decide: () => nothingToDo,
    };
    const running = runControllers({
      client: server.client,
      controllers: [selecting],
      clock: server.clock,
      random: () => 0.5,
    });
    await server.clock.advance(100);
    assert.deepEqual(reconciled, ['b']);
    await running.stop();
    await server.stop();
  });

  test('say by the outline of an existing object what it concerns, and by its content later', async () => {
    const server = await startTestServer();
    await server.client.create(configMaps, configMap('a'));
    const reconciled: string[] = [];
    const running = runControllers({
      client: server.client,
      controllers: [
        {
          name: 'outlining',
          watches: [
            { kind: configMaps, concerns: itself, existing: ({ key }) => [{ name: `existing ${key.name}` }] },
            { kind: configMaps, concerns: () => [], existing: () => assert.fail('no idea') },
          ],
          observe: ({ name }) => void reconciled.push(name),
          decide: () => nothingToDo,
        },
      ],
      clock: server.clock,
      random: () => 0.5,
    });
    await server.clock.advance(100);
    assert.ok(reconciled.includes('existing a'));
    reconciled.length = 0;
    await server.client.create(configMaps, configMap('b'));
    await server.clock.advance(100);
    assert.deepEqual(reconciled, ['b']);
    await running.stop();
    await server.stop();
  });

  test('that start on a finished state write nothing', async () => {
    const fixture = new ControllerFixture();
    for (const name of ['a', 'b', 'c']) {
      fixture.put(configMap(name, { tide: 'high' }));
      fixture.put({ ...configMap(name, { tide: 'high' }), kind: 'Secret' });
    }
    fixture.run(copier);
    await fixture.clock.advance(100);
    assert.deepEqual(fixture.writes, []);
    assert.equal(fixture.metric('controller_runtime_reconcile_total{controller="copier",result="success"}'), 3);
  });

  test('revert changes of others', async () => {
    const fixture = new ControllerFixture();
    fixture.put(configMap('a', { tide: 'high' }));
    fixture.run(copier);
    await fixture.clock.advance(100);
    fixture.server.remove('/api/v1/secrets', 'default/a');
    await fixture.clock.advance(100);
    assert.deepEqual(fixture.writes, ['POST secrets', 'POST secrets']);
  });

  test('reconcile once for many changes in one turn', async () => {
    const fixture = new ControllerFixture();
    fixture.put(configMap('a'));
    const turns: string[] = [];
    fixture.run(watcher(({ data }) => (turns.push(JSON.stringify(data)), nothingToDo)));
    await fixture.clock.advance(0);
    for (let n = 0; n < 50; n++) fixture.put(configMap('a', { n: String(n) }));
    await fixture.clock.advance(0);
    assert.deepEqual(turns, ['{}', '{"n":"49"}']);
  });

  test('are requeued once when their plan asks for it', async () => {
    const fixture = new ControllerFixture();
    fixture.put(configMap('a'));
    const turns: number[] = [];
    const start = fixture.clock.now();
    fixture.run(
      watcher((_, now) => {
        turns.push(now.getTime() - start);
        return turns.length === 1 ? { steps: [], requeueAfterMs: 60_000 } : nothingToDo;
      }),
    );
    await fixture.clock.advance(3_600_000);
    assert.deepEqual(turns, [0, 60_000]);
  });

  test('that fail report it in their health and delay no other', async () => {
    const fixture = new ControllerFixture();
    fixture.put(configMap('a', { tide: 'high' }));
    const broken = watcher(() => {
      throw new InvariantError('two of them');
    }, 'broken');
    const running = fixture.run(broken, copier);
    await fixture.clock.advance(1000);
    assert.deepEqual(fixture.writes, ['POST secrets']);
    const [failing, healthy] = running.health();
    assert.equal(failing?.failing, 1);
    assert.equal(failing?.lastFailure?.message, 'two of them');
    assert.equal(healthy?.failing, 0);
    assert.equal(healthy?.lastFailure, undefined);
  });

  test('are requeued soon after a lost race, without an error', async () => {
    const fixture = new ControllerFixture();
    fixture.put(configMap('a', { tide: 'high' }));
    fixture.run(copier);
    await fixture.clock.advance(100);
    fixture.server.before = ({ method }) => {
      if (method !== 'PUT') return;
      fixture.server.before = () => {};
      throw apiErrors.objectModified({ group: '', resource: 'secrets' }, 'a');
    };
    fixture.put(configMap('a', { tide: 'low' }));
    await fixture.clock.advance(100);
    assert.deepEqual(fixture.writes.slice(1), ['PUT secrets/a', 'PUT secrets/a']);
    assert.equal(fixture.metric('controller_runtime_reconcile_errors_total{controller="copier"}'), 0);
    assert.deepEqual(fixture.logged, []);
  });

  test('retry a refused write, unless only a change can help', async () => {
    for (const awaitsChange of [false, true]) {
      const fixture = new ControllerFixture();
      fixture.server.before = ({ method }) => {
        if (method === 'POST') throw apiErrors.badRequest('not this one');
      };
      const object = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'a' } };
      fixture.run(
        watcher(() => ({
          steps: [[{ verb: 'create', kind: secrets, object }]],
          refused: () => ({ steps: [], awaitsChange }),
        })),
      );
      fixture.put(configMap('a', { tide: 'high' }));
      await fixture.clock.advance(3_600_000);
      assert.equal(fixture.writes.length === 1, awaitsChange);
      const { length: before } = fixture.writes;
      fixture.put(configMap('a', { tide: 'low' }));
      await fixture.clock.advance(100);
      assert.ok(fixture.writes.length > before);
    }
  });

  test('do not decide again before they see their own writes', async () => {
    const fixture = new ControllerFixture();
    fixture.put(configMap('a', { tide: 'high' }));
    fixture.run(copier);
    await fixture.clock.advance(100);
    const decided = (): number =>
      fixture.metric('controller_runtime_reconcile_time_seconds_count{controller="copier"}');
    const deliverConfigMaps = (): void => fixture.server.deliver(({ object }) => object.kind === 'ConfigMap');
    fixture.server.isDelivering = false;
    fixture.put(configMap('a', { tide: 'low' }));
    deliverConfigMaps();
    await fixture.clock.advance(10);
    assert.deepEqual(fixture.writes.slice(1), ['PUT secrets/a']);
    const before = decided();
    fixture.put(configMap('a', { tide: 'low', moon: 'new' }));
    deliverConfigMaps();
    await fixture.clock.advance(1000);
    assert.equal(decided(), before, 'it waits for its own write');
    fixture.server.isDelivering = true;
    fixture.server.deliver();
    await fixture.clock.advance(10);
    assert.deepEqual(fixture.writes.slice(2), ['PUT secrets/a']);
    assert.deepEqual(fixture.server.get('/api/v1/secrets', 'default/a')?.['data'], { tide: 'low', moon: 'new' });
  });

  test('go on after five seconds if their own writes do not show up', async () => {
    const fixture = new ControllerFixture();
    fixture.put(configMap('a', { tide: 'high' }));
    fixture.run(copier);
    await fixture.clock.advance(100);
    fixture.server.isDelivering = false;
    const deliverConfigMaps = (): void => fixture.server.deliver(({ object }) => object.kind === 'ConfigMap');
    fixture.put(configMap('a', { tide: 'low' }));
    deliverConfigMaps();
    await fixture.clock.advance(10);
    fixture.put(configMap('a', { tide: 'none' }));
    deliverConfigMaps();
    await fixture.clock.advance(4900);
    assert.equal(fixture.writes.length, 2);
    await fixture.clock.advance(200);
    assert.ok(fixture.writes.length > 2);
  });

  test('finish the keys in work when they are stopped, and take no more', async () => {
    const fixture = new ControllerFixture();
    fixture.put(configMap('a'));
    fixture.put(configMap('b'));
    const answer = Promise.withResolvers<void>();
    fixture.server.before = ({ method }) => (method === 'POST' ? answer.promise : undefined);
    const running = fixture.run(copier);
    await fixture.clock.advance(0);
    let isStopped = false;
    const stopped = running.stop().then(() => (isStopped = true));
    await fixture.clock.advance(1000);
    assert.equal(isStopped, false);
    answer.resolve();
    await stopped;
    await fixture.clock.advance(1000);
    assert.deepEqual(fixture.writes, ['POST secrets']);
    assert.equal(fixture.server.watching, 0);
    assert.equal(fixture.clock.pending, 0);
  });

  test('share one informer for each kind', async () => {
    const fixture = new ControllerFixture();
    const running = fixture.run(
      copier,
      watcher(() => nothingToDo),
      watcher(() => nothingToDo, 'second'),
    );
    await fixture.clock.advance(0);
    assert.equal(fixture.server.watching, 2);
    await running.stop();
    assert.equal(fixture.server.watching, 0);
  });

  test('find objects by labels, with an index if there is one, sorted by key', async () => {
    const fixture = new ControllerFixture();
    for (const [name, tide] of [
      ['c', 'high'],
      ['a', 'high'],
      ['b', 'low'],
    ] as const) {
      const map = configMap(name);
      fixture.put({ ...map, metadata: { ...map.metadata, labels: { tide, all: 'yes' } } });
    }
    const found: unknown[] = [];
    fixture.run({
      name: 'finder',
      watches: [{ kind: configMaps, concerns: itself, indexes: indexByLabel('tide') }],
      observe: (_, cache) => {
        const names = (objects: readonly KubeObject[]) => objects.map(({ metadata: { name } }) => name).join();
        found.push([
          names(cache.list(configMaps, { labels: { tide: 'high', all: 'yes' } })),
          names(cache.list(configMaps, { namespace: 'default', labels: { all: 'yes' } })),
          names(cache.list(configMaps, { namespace: 'elsewhere' })),
          names(cache.indexed(configMaps, 'label:tide', 'low')),
        ]);
        return undefined;
      },
      decide: () => nothingToDo,
    });
    await fixture.clock.advance(0);
    assert.deepEqual(found[0], ['a,c', 'a,b,c', '', 'b']);
  });

  test('may not read kinds that they do not watch', async () => {
    const fixture = new ControllerFixture();
    fixture.put(configMap('a'));
    const running = fixture.run({ ...watcher(() => nothingToDo), observe: (key, cache) => cache.get(secrets, key) });
    await fixture.clock.advance(10);
    assert.match(running.health()[0]?.lastFailure?.message ?? '', /v1\/secrets is read but not watched/);
  });

  test('ignore a change for which concerns throws', async () => {
    const fixture = new ControllerFixture();
    fixture.put(configMap('a'));
    const careless = {
      ...watcher(() => nothingToDo),
      watches: [{ kind: configMaps, concerns: () => assert.fail('no idea') }],
    };
    fixture.run(careless, copier);
    await fixture.clock.advance(100);
    assert.deepEqual(fixture.writes, ['POST secrets']);
    assert.equal(fixture.metric('controller_runtime_reconcile_panics_total{controller="watcher"}'), 1);
  });

  test('record the events of a plan when its writes are done', async () => {
    const fixture = new ControllerFixture();
    fixture.put(configMap('a'));
    fixture.run(
      watcher((about) => ({ steps: [], events: [{ about, type: 'Normal', reason: 'Seen', message: 'it is there' }] })),
    );
    await fixture.clock.advance(10);
    const [event] = fixture.server.list('/api/v1/events');
    assert.deepEqual(event?.['source'], { component: 'watcher' });
    assert.equal(event?.['reason'], 'Seen');
  });

  test('use their own field manager and event source', async () => {
    const fixture = new ControllerFixture();
    fixture.put(configMap('a'));
    const named = { ...copier, fieldManager: 'copy-writer', eventSource: 'copy-reporter' };
    fixture.run({
      ...named,
      decide: (state) => ({
        ...named.decide(state, new Date(0)),
        events: [{ about: state.from, type: 'Normal', reason: 'Copied', message: 'there is another' }],
      }),
    } satisfies typeof copier);
    await fixture.clock.advance(10);
    assert.match(fixture.server.writes.join(), /fieldManager=copy-writer/);
    assert.deepEqual(fixture.server.list('/api/v1/events')[0]?.['source'], { component: 'copy-reporter' });
  });

  test('are not ready while a kind is not served, and name it', async () => {
    const fixture = new ControllerFixture();
    fixture.server.before = ({ path }) => {
      if (path.endsWith('/secrets')) throw apiErrors.notFound({ group: '', resource: 'secrets' }, '');
    };
    const running = fixture.run(
      copier,
      watcher(() => nothingToDo),
    );
    await fixture.clock.advance(1000);
    const [copierHealth, watcherHealth] = running.health();
    assert.equal(copierHealth?.isReady, false);
    assert.match(copierHealth?.informerFailures.join() ?? '', /^v1\/secrets: .*not found$/);
    assert.equal(watcherHealth?.isReady, true);
    fixture.server.before = () => {};
    await fixture.clock.advance(60_000);
    await running.ready;
    assert.equal(running.health()[0]?.isReady, true);
  });
});
