import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createClient } from '@flotilla/client';
import { isConflict, ApiError, apiErrors, configMaps, silentLogger, type KubeObject } from '@flotilla/kube';
import { configMap, flushPromises, ManualClock } from '@flotilla/testkit';
import { InformerCache, kindText } from './informer-cache.ts';
import { InformerSet } from './informer/informer-set.ts';
import { performPlan, type PlanResult } from './perform-plan.ts';
import type { Write } from './plan.ts';
import { ScriptedServer } from './scripted-server.testing.ts';
import { WriteSlots } from './write-slots.ts';

const collection = '/api/v1/configmaps';

/** A server, what an informer knows of it, and plans performed between the two. */
class Fixture {
  readonly clock = new ManualClock();
  readonly server = new ScriptedServer();
  readonly slots = new WriteSlots();
  readonly #client = createClient(this.server, { clock: this.clock, random: () => 0 });
  readonly #informers = new InformerSet({
    client: this.#client,
    clock: this.clock,
    random: () => 0,
    logger: silentLogger,
  });
  readonly #cache = new InformerCache(new Map([[kindText(configMaps), this.#informers.hold(configMaps).informer]]));

  static async with(...objects: readonly KubeObject[]): Promise<Fixture> {
    const fixture = new Fixture();
    for (const object of objects) fixture.server.put(collection, object);
    await flushPromises();
    return fixture;
  }

  perform(...steps: readonly (readonly Write[])[]): Promise<PlanResult> {
    return performPlan(
      { steps },
      { client: this.#client, cache: this.#cache, fieldManager: 'tester', slots: this.slots },
    );
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
  return { verb: 'create', kind: configMaps, object: configMap(name) };
}

describe('a plan', () => {
  test('starts a step when the previous one is done, and the writes of a step concurrently', async () => {
    const fixture = await Fixture.with();
    const open: (() => void)[] = [];
    fixture.server.before = ({ method }) =>
      method === 'POST' ? new Promise<void>((resolve) => open.push(resolve)) : undefined;
    const performed = fixture.perform([create('a'), create('b')], [create('c')]);
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
    const fixture = await Fixture.with();
    let refusals = 0;
    fixture.server.before = ({ method }) => {
      if (method === 'POST' && refusals++ === 0) throw apiErrors.badRequest('not this one');
    };
    const { written, failure } = await fixture.perform([create('a'), create('b')], [create('c')]);
    assert.match(failure?.message ?? '', /not this one/);
    assert.deepEqual(
      written.map(({ key }) => key.name),
      ['b'],
    );
    assert.deepEqual(fixture.writes, ['POST ', 'POST ']);
  });

  test('sends no update that changes nothing', async () => {
    const fixture = await Fixture.with(configMap('a', { tide: 'high' }));
    const object = { ...fixture.known('a'), data: { tide: 'high' } };
    await fixture.perform([{ verb: 'update', kind: configMaps, object }]);
    await fixture.perform([{ verb: 'update', kind: configMaps, object, subresource: 'status' }]);
    assert.deepEqual(fixture.writes, []);
    await fixture.perform([{ verb: 'update', kind: configMaps, object: { ...object, data: { tide: 'low' } } }]);
    assert.deepEqual(fixture.writes, ['PUT /a']);
  });

  test('compares only the status for a write of the status', async () => {
    const fixture = await Fixture.with({ ...configMap('a'), status: { phase: 'Ready' } });
    const object = { ...fixture.known('a'), data: { ignored: 'there' } };
    await fixture.perform([{ verb: 'update', kind: configMaps, object, subresource: 'status' }]);
    assert.deepEqual(fixture.writes, []);
    const changed = { ...object, status: { phase: 'Gone' } };
    await fixture.perform([{ verb: 'update', kind: configMaps, object: changed, subresource: 'status' }]);
    assert.deepEqual(fixture.writes, ['PUT /a/status']);
  });

  test('sends no patch that changes nothing', async () => {
    const fixture = await Fixture.with(configMap('a', { tide: 'high' }));
    const key = { namespace: 'default', name: 'a' };
    const { resourceVersion = '' } = fixture.known('a').metadata;
    const patchTo = (tide: string | null): Write => ({
      verb: 'patch',
      kind: configMaps,
      key,
      patch: { metadata: { resourceVersion }, data: { tide } },
    });
    await fixture.perform([patchTo('high')]);
    assert.deepEqual(fixture.writes, []);
    const { failure } = await fixture.perform([patchTo(null)]);
    assert.equal(failure, undefined);
    assert.deepEqual(fixture.writes, ['PATCH /a']);
  });

  test('gets a conflict if the object was changed since it was observed', async () => {
    const fixture = await Fixture.with(configMap('a'));
    const object = { ...fixture.known('a'), data: { tide: 'low' } };
    fixture.server.put(collection, configMap('a', { tide: 'high' }));
    const { failure } = await fixture.perform([{ verb: 'update', kind: configMaps, object }]);
    assert.ok(failure instanceof ApiError);
    assert.equal(failure.reason, 'Conflict');
  });

  test('sends a follow-up with the version that the step before it made', async () => {
    const fixture = await Fixture.with(configMap('a'));
    const { resourceVersion = '' } = fixture.known('a').metadata;
    const patchTo = (tide: string, isFollowUp = false): Write => ({
      verb: 'patch',
      kind: configMaps,
      key: { namespace: 'default', name: 'a' },
      patch: { metadata: { resourceVersion }, data: { tide } },
      isFollowUp,
    });
    assert.equal((await fixture.perform([patchTo('high')], [patchTo('low', true)])).failure, undefined);
    assert.equal(isConflict((await fixture.perform([patchTo('high', true)])).failure), true);
  });

  test('deletes the observed object, and succeeds if it does not exist', async () => {
    const fixture = await Fixture.with(configMap('a'));
    const { uid = '' } = fixture.known('a').metadata;
    const remove: Write = { verb: 'delete', kind: configMaps, key: { namespace: 'default', name: 'a' }, uid };
    assert.equal((await fixture.perform([remove])).failure, undefined);
    assert.equal((await fixture.perform([remove])).failure, undefined);
    fixture.server.put(collection, configMap('a'));
    const { failure } = await fixture.perform([remove]);
    assert.ok(failure instanceof ApiError);
    assert.equal(failure.reason, 'Conflict');
    assert.ok(fixture.server.get(collection, 'default/a'));
  });

  test('reports another failure rather than a lost race', async () => {
    const fixture = await Fixture.with(configMap('a'));
    fixture.server.before = ({ method, body }) => {
      if (method === 'POST' && new TextDecoder().decode(body?.bytes).includes('"b"'))
        throw apiErrors.badRequest('wrong');
    };
    const { failure } = await fixture.perform([create('a'), create('b')]);
    assert.match(failure?.message ?? '', /wrong/);
  });

  test('has at most 64 concurrent writes together with other plans', async () => {
    const fixture = await Fixture.with();
    let open = 0;
    let most = 0;
    fixture.server.before = async ({ method }) => {
      if (method !== 'POST') return;
      most = Math.max(most, ++open);
      await new Promise<void>((resolve) => setImmediate(resolve));
      open--;
    };
    const plans = ['a', 'b'].map((letter) =>
      fixture.perform(Array.from({ length: 200 }, (_, n) => create(`${letter}${n}`))),
    );
    for (const { written } of await Promise.all(plans)) assert.equal(written.length, 200);
    assert.equal(most, 64);
  });

  test('writes as the field manager of its controller', async () => {
    const fixture = await Fixture.with();
    await fixture.perform([create('a')]);
    assert.match(fixture.server.writes[0] ?? '', /fieldManager=tester/);
  });

  test('leaves the field managers of an object to the server', async () => {
    const fixture = await Fixture.with(configMap('a'));
    const bodies: string[] = [];
    fixture.server.before = ({ body }) => void bodies.push(String(body?.bytes ?? ''));
    const { metadata, ...known } = fixture.known('a');
    const object = { ...known, metadata: { ...metadata, managedFields: [{ manager: 'other' }], labels: { a: 'b' } } };
    await fixture.perform([{ verb: 'update', kind: configMaps, object }]);
    assert.match(bodies.join(), /"labels":\{"a":"b"\}/);
    assert.doesNotMatch(bodies.join(), /managedFields/);
  });
});
