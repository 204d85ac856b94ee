import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiErrors, configMaps, secrets, type KubeObject } from '@flotilla/kube';
import { itself, type Controller } from './controller.ts';
import { InvariantError } from './failures.ts';
import { indexByLabel } from './informer/label-index.ts';
import { nothingToDo } from './plan.ts';
import { aConfigMap, ControllerScene, copier } from './controllers.testing.ts';

/** Looks at ConfigMaps, and does what the test says. */
function looker(
  act: (map: KubeObject, now: Date) => ReturnType<Controller['decide']>,
  name = 'looker',
): Controller<KubeObject> {
  return {
    name,
    watches: [{ kind: configMaps, concerns: itself }],
    observe: (key, cache) => cache.get(configMaps, key),
    decide: act,
  };
}

describe('controllers', () => {
  test('write until the state is as decided, and then nothing', async () => {
    const scene = new ControllerScene();
    scene.put(aConfigMap('a', { tide: 'high' }));
    scene.put(aConfigMap('b', { tide: 'low' }));
    const running = scene.run(copier);
    await scene.clock.advance(100);
    await running.ready;
    assert.deepEqual(scene.writes, ['POST secrets', 'POST secrets']);
    scene.put(aConfigMap('a', { tide: 'low' }));
    await scene.clock.advance(100);
    assert.deepEqual(scene.writes.slice(2), ['PUT secrets/a']);
    assert.equal(running.isAtRest(), true);
    scene.server.bookmark();
    scene.server.cut();
    await scene.clock.advance(3_600_000);
    assert.equal(scene.writes.length, 3);
  });

  test('that start on a finished state write nothing', async () => {
    const scene = new ControllerScene();
    for (const name of ['a', 'b', 'c']) {
      scene.put(aConfigMap(name, { tide: 'high' }));
      scene.put({ ...aConfigMap(name, { tide: 'high' }), kind: 'Secret' });
    }
    scene.run(copier);
    await scene.clock.advance(100);
    assert.deepEqual(scene.writes, []);
    assert.equal(scene.metric('controller_runtime_reconcile_total{controller="copier",result="success"}'), 3);
  });

  test('revert changes of others', async () => {
    const scene = new ControllerScene();
    scene.put(aConfigMap('a', { tide: 'high' }));
    scene.run(copier);
    await scene.clock.advance(100);
    scene.server.remove('/api/v1/secrets', 'default/a');
    await scene.clock.advance(100);
    assert.deepEqual(scene.writes, ['POST secrets', 'POST secrets']);
  });

  test('reconcile once for many changes in one turn', async () => {
    const scene = new ControllerScene();
    scene.put(aConfigMap('a'));
    const turns: string[] = [];
    scene.run(looker(({ data }) => (turns.push(JSON.stringify(data)), nothingToDo)));
    await scene.clock.advance(0);
    for (let n = 0; n < 50; n++) scene.put(aConfigMap('a', { n: String(n) }));
    await scene.clock.advance(0);
    assert.deepEqual(turns, ['{}', '{"n":"49"}']);
  });

  test('are requeued once when their plan asks for it', async () => {
    const scene = new ControllerScene();
    scene.put(aConfigMap('a'));
    const turns: number[] = [];
    const start = scene.clock.now();
    scene.run(
      looker((_, now) => {
        turns.push(now.getTime() - start);
        return turns.length === 1 ? { steps: [], requeueAfterMs: 60_000 } : nothingToDo;
      }),
    );
    await scene.clock.advance(3_600_000);
    assert.deepEqual(turns, [0, 60_000]);
  });

  test('that fail report it in their health and delay no other', async () => {
    const scene = new ControllerScene();
    scene.put(aConfigMap('a', { tide: 'high' }));
    const broken = looker(() => {
      throw new InvariantError('two of them');
    }, 'broken');
    const running = scene.run(broken, copier);
    await scene.clock.advance(1000);
    assert.deepEqual(scene.writes, ['POST secrets']);
    const [unwell, well] = running.health();
    assert.equal(unwell?.failing, 1);
    assert.equal(unwell?.lastFailure?.message, 'two of them');
    assert.equal(well?.failing, 0);
    assert.equal(well?.lastFailure, undefined);
  });

  test('are requeued soon after a lost race, without an error', async () => {
    const scene = new ControllerScene();
    scene.put(aConfigMap('a', { tide: 'high' }));
    scene.run(copier);
    await scene.clock.advance(100);
    scene.server.before = ({ method }) => {
      if (method !== 'PUT') return;
      scene.server.before = () => {};
      throw apiErrors.objectModified({ group: '', resource: 'secrets' }, 'a');
    };
    scene.put(aConfigMap('a', { tide: 'low' }));
    await scene.clock.advance(100);
    assert.deepEqual(scene.writes.slice(1), ['PUT secrets/a', 'PUT secrets/a']);
    assert.equal(scene.metric('controller_runtime_reconcile_errors_total{controller="copier"}'), 0);
    assert.deepEqual(scene.logged, []);
  });

  test('do not decide again before they see their own writes', async () => {
    const scene = new ControllerScene();
    scene.put(aConfigMap('a', { tide: 'high' }));
    scene.run(copier);
    await scene.clock.advance(100);
    const decided = (): number => scene.metric('controller_runtime_reconcile_time_seconds_count{controller="copier"}');
    const tellOfMaps = (): void => scene.server.tell(({ object }) => object.kind === 'ConfigMap');
    scene.server.isTelling = false;
    scene.put(aConfigMap('a', { tide: 'low' }));
    tellOfMaps();
    await scene.clock.advance(10);
    assert.deepEqual(scene.writes.slice(1), ['PUT secrets/a']);
    const before = decided();
    scene.put(aConfigMap('a', { tide: 'low', moon: 'new' }));
    tellOfMaps();
    await scene.clock.advance(1000);
    assert.equal(decided(), before, 'it waits for its own write');
    scene.server.isTelling = true;
    scene.server.tell();
    await scene.clock.advance(10);
    assert.deepEqual(scene.writes.slice(2), ['PUT secrets/a']);
    assert.deepEqual(scene.server.get('/api/v1/secrets', 'default/a')?.['data'], { tide: 'low', moon: 'new' });
  });

  test('go on after five seconds if their own writes do not show up', async () => {
    const scene = new ControllerScene();
    scene.put(aConfigMap('a', { tide: 'high' }));
    scene.run(copier);
    await scene.clock.advance(100);
    scene.server.isTelling = false;
    const tellOfMaps = (): void => scene.server.tell(({ object }) => object.kind === 'ConfigMap');
    scene.put(aConfigMap('a', { tide: 'low' }));
    tellOfMaps();
    await scene.clock.advance(10);
    scene.put(aConfigMap('a', { tide: 'none' }));
    tellOfMaps();
    await scene.clock.advance(4900);
    assert.equal(scene.writes.length, 2);
    await scene.clock.advance(200);
    assert.ok(scene.writes.length > 2);
  });

  test('finish the keys in work when they are stopped, and take no more', async () => {
    const scene = new ControllerScene();
    scene.put(aConfigMap('a'));
    scene.put(aConfigMap('b'));
    const answer = Promise.withResolvers<void>();
    scene.server.before = ({ method }) => (method === 'POST' ? answer.promise : undefined);
    const running = scene.run(copier);
    await scene.clock.advance(0);
    let isStopped = false;
    const stopped = running.stop().then(() => (isStopped = true));
    await scene.clock.advance(1000);
    assert.equal(isStopped, false);
    answer.resolve();
    await stopped;
    await scene.clock.advance(1000);
    assert.deepEqual(scene.writes, ['POST secrets']);
    assert.equal(scene.server.watching, 0);
    assert.equal(scene.clock.pending, 0);
  });

  test('share one informer for each kind', async () => {
    const scene = new ControllerScene();
    const running = scene.run(
      copier,
      looker(() => nothingToDo),
      looker(() => nothingToDo, 'second'),
    );
    await scene.clock.advance(0);
    assert.equal(scene.server.watching, 2);
    await running.stop();
    assert.equal(scene.server.watching, 0);
  });

  test('find objects by labels, with an index if there is one, sorted by key', async () => {
    const scene = new ControllerScene();
    for (const [name, tide] of [
      ['c', 'high'],
      ['a', 'high'],
      ['b', 'low'],
    ] as const) {
      const map = aConfigMap(name);
      scene.put({ ...map, metadata: { ...map.metadata, labels: { tide, all: 'yes' } } });
    }
    const found: unknown[] = [];
    scene.run({
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
    await scene.clock.advance(0);
    assert.deepEqual(found[0], ['a,c', 'a,b,c', '', 'b']);
  });

  test('may not read kinds that they do not watch', async () => {
    const scene = new ControllerScene();
    scene.put(aConfigMap('a'));
    const running = scene.run({ ...looker(() => nothingToDo), observe: (key, cache) => cache.get(secrets, key) });
    await scene.clock.advance(10);
    assert.match(running.health()[0]?.lastFailure?.message ?? '', /v1\/secrets is read but not watched/);
  });

  test('ignore a change for which concerns throws', async () => {
    const scene = new ControllerScene();
    scene.put(aConfigMap('a'));
    const careless = {
      ...looker(() => nothingToDo),
      watches: [{ kind: configMaps, concerns: () => assert.fail('no idea') }],
    };
    scene.run(careless, copier);
    await scene.clock.advance(100);
    assert.deepEqual(scene.writes, ['POST secrets']);
    assert.equal(scene.metric('controller_runtime_reconcile_panics_total{controller="looker"}'), 1);
  });

  test('record the events of a plan when its writes are done', async () => {
    const scene = new ControllerScene();
    scene.put(aConfigMap('a'));
    scene.run(
      looker((about) => ({ steps: [], events: [{ about, type: 'Normal', reason: 'Seen', message: 'it is there' }] })),
    );
    await scene.clock.advance(10);
    const [event] = scene.server.list('/api/v1/events');
    assert.deepEqual(event?.['source'], { component: 'looker' });
    assert.equal(event?.['reason'], 'Seen');
  });

  test('use their own field manager and event source', async () => {
    const scene = new ControllerScene();
    scene.put(aConfigMap('a'));
    const named = { ...copier, fieldManager: 'copy-writer', eventSource: 'copy-reporter' };
    scene.run({
      ...named,
      decide: (state) => ({
        ...named.decide(state, new Date(0)),
        events: [{ about: state.from, type: 'Normal', reason: 'Copied', message: 'there is another' }],
      }),
    } satisfies typeof copier);
    await scene.clock.advance(10);
    assert.match(scene.server.writes.join(), /fieldManager=copy-writer/);
    assert.deepEqual(scene.server.list('/api/v1/events')[0]?.['source'], { component: 'copy-reporter' });
  });

  test('are not ready while a kind is not served, and name it', async () => {
    const scene = new ControllerScene();
    scene.server.before = ({ path }) => {
      if (path.endsWith('/secrets')) throw apiErrors.notFound({ group: '', resource: 'secrets' }, '');
    };
    const running = scene.run(
      copier,
      looker(() => nothingToDo),
    );
    await scene.clock.advance(1000);
    const [copies, looks] = running.health();
    assert.equal(copies?.isReady, false);
    assert.match(copies?.trouble.join() ?? '', /^v1\/secrets: .*not found$/);
    assert.equal(looks?.isReady, true);
    scene.server.before = () => {};
    await scene.clock.advance(60_000);
    await running.ready;
    assert.equal(running.health()[0]?.isReady, true);
  });
});
