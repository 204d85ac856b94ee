import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClient } from '@flotilla/client';
import { ApiError, apiErrors, configMaps, silentLogger, type KubeObject } from '@flotilla/kube';
import { flushPromises, ManualClock } from '@flotilla/testkit';
import { InformerCache, kindText } from './informer-cache.ts';
import { InformerSet } from './informer/informer-set.ts';
import { performPlan, type PlanResult } from './perform-plan.ts';
import type { Write } from './plan.ts';
import { aConfigMap } from './controllers.testing.ts';
import { ScriptedServer } from './scripted-server.testing.ts';

const collection = '/api/v1/configmaps';

/** A server, what an informer knows of it, and plans performed between the two. */
class Scene {
  readonly clock = new ManualClock();
  readonly server = new ScriptedServer();
  readonly #client = createClient(this.server, { clock: this.clock, random: () => 0 });
  readonly #informers = new InformerSet({
    client: this.#client,
    clock: this.clock,
    random: () => 0,
    logger: silentLogger,
  });
  readonly #cache = new InformerCache(new Map([[kindText(configMaps), this.#informers.hold(configMaps).informer]]));

  static async with(...objects: readonly KubeObject[]): Promise<Scene> {
    const scene = new Scene();
    for (const object of objects) scene.server.put(collection, object);
    await flushPromises();
    return scene;
  }

  perform(...steps: readonly (readonly Write[])[]): Promise<PlanResult> {
    return performPlan({ steps }, { client: this.#client, cache: this.#cache, fieldManager: 'tester' });
  }

  known(name: string): KubeObject {
    const object = this.#cache.get(configMaps, { namespace: 'default', name });
    assert.ok(object);
    return object;
  }

  get writes(): readonly string[] {
    return this.server.writes.map((write) =>
      write.replace('/api/v1/namespaces/default/configmaps', '').replace(/\?.*/, ''),
    );
  }
}

function create(name: string): Write {
  return { verb: 'create', kind: configMaps, object: aConfigMap(name) };
}

describe('a plan', () => {
  test('starts a step when the previous one is done, and the writes of a step concurrently', async () => {
    const scene = await Scene.with();
    const open: (() => void)[] = [];
    scene.server.before = ({ method }) =>
      method === 'POST' ? new Promise<void>((resolve) => open.push(resolve)) : undefined;
    const performed = scene.perform([create('a'), create('b')], [create('c')]);
    await flushPromises();
    assert.equal(open.length, 2);
    open.shift()?.();
    await flushPromises();
    assert.equal(open.length, 1);
    open.shift()?.();
    await flushPromises();
    assert.equal(open.length, 1);
    open.shift()?.();
    assert.equal((await performed).written.length, 3);
  });

  test('ends after the step in which a write failed, whose other writes are still done', async () => {
    const scene = await Scene.with();
    let refusals = 0;
    scene.server.before = ({ method }) => {
      if (method === 'POST' && refusals++ === 0) throw apiErrors.badRequest('not this one');
    };
    const { written, failure } = await scene.perform([create('a'), create('b')], [create('c')]);
    assert.match(failure?.message ?? '', /not this one/);
    assert.deepEqual(
      written.map(({ key }) => key.name),
      ['b'],
    );
    assert.deepEqual(scene.writes, ['POST ', 'POST ']);
  });

  test('sends no update that changes nothing', async () => {
    const scene = await Scene.with(aConfigMap('a', { tide: 'high' }));
    const object = { ...scene.known('a'), data: { tide: 'high' } };
    await scene.perform([{ verb: 'update', kind: configMaps, object }]);
    await scene.perform([{ verb: 'update', kind: configMaps, object, subresource: 'status' }]);
    assert.deepEqual(scene.writes, []);
    await scene.perform([{ verb: 'update', kind: configMaps, object: { ...object, data: { tide: 'low' } } }]);
    assert.deepEqual(scene.writes, ['PUT /a']);
  });

  test('compares only the status for a write of the status', async () => {
    const scene = await Scene.with({ ...aConfigMap('a'), status: { phase: 'Ready' } });
    const object = { ...scene.known('a'), data: { ignored: 'there' } };
    await scene.perform([{ verb: 'update', kind: configMaps, object, subresource: 'status' }]);
    assert.deepEqual(scene.writes, []);
    const changed = { ...object, status: { phase: 'Gone' } };
    await scene.perform([{ verb: 'update', kind: configMaps, object: changed, subresource: 'status' }]);
    assert.deepEqual(scene.writes, ['PUT /a/status']);
  });

  test('sends no patch that changes nothing', async () => {
    const scene = await Scene.with(aConfigMap('a', { tide: 'high' }));
    const key = { namespace: 'default', name: 'a' };
    const { resourceVersion = '' } = scene.known('a').metadata;
    const patchTo = (tide: string | null): Write => ({
      verb: 'patch',
      kind: configMaps,
      key,
      patch: { metadata: { resourceVersion }, data: { tide } },
    });
    await scene.perform([patchTo('high')]);
    assert.deepEqual(scene.writes, []);
    const { failure } = await scene.perform([patchTo(null)]);
    assert.equal(failure, undefined);
    assert.deepEqual(scene.writes, ['PATCH /a']);
  });

  test('gets a conflict if the object was changed since it was observed', async () => {
    const scene = await Scene.with(aConfigMap('a'));
    const object = { ...scene.known('a'), data: { tide: 'low' } };
    scene.server.put(collection, aConfigMap('a', { tide: 'high' }));
    const { failure } = await scene.perform([{ verb: 'update', kind: configMaps, object }]);
    assert.ok(failure instanceof ApiError);
    assert.equal(failure.reason, 'Conflict');
  });

  test('deletes the observed object, and succeeds if it does not exist', async () => {
    const scene = await Scene.with(aConfigMap('a'));
    const { uid = '' } = scene.known('a').metadata;
    const remove: Write = { verb: 'delete', kind: configMaps, key: { namespace: 'default', name: 'a' }, uid };
    assert.equal((await scene.perform([remove])).failure, undefined);
    assert.equal((await scene.perform([remove])).failure, undefined);
    scene.server.put(collection, aConfigMap('a'));
    const { failure } = await scene.perform([remove]);
    assert.ok(failure instanceof ApiError);
    assert.equal(failure.reason, 'Conflict');
    assert.ok(scene.server.get(collection, 'default/a'));
  });

  test('reports another failure rather than a lost race', async () => {
    const scene = await Scene.with(aConfigMap('a'));
    scene.server.before = ({ method, body }) => {
      if (method === 'POST' && new TextDecoder().decode(body).includes('"b"')) throw apiErrors.badRequest('wrong');
    };
    const { failure } = await scene.perform([create('a'), create('b')]);
    assert.match(failure?.message ?? '', /wrong/);
  });

  test('has at most 64 concurrent writes', async () => {
    const scene = await Scene.with();
    let open = 0;
    let most = 0;
    scene.server.before = async ({ method }) => {
      if (method !== 'POST') return;
      most = Math.max(most, ++open);
      await new Promise<void>((resolve) => setImmediate(resolve));
      open--;
    };
    const { written } = await scene.perform(Array.from({ length: 200 }, (_, n) => create(`m${n}`)));
    assert.equal(written.length, 200);
    assert.equal(most, 64);
  });

  test('writes as the field manager of its controller', async () => {
    const scene = await Scene.with();
    await scene.perform([create('a')]);
    assert.match(scene.server.writes[0] ?? '', /fieldManager=tester/);
  });
});
