import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ConnectionError, type Transport } from '@flotilla/client';
import { customResourceDefinitions, type Kind } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { kinds } from '../kinds.ts';
import { namesOf } from '../objects.testing.ts';

const boats: Kind = { group: 'sea.example', version: 'v1', kind: 'Boat', plural: 'boats', namespaced: true };

const boatDefinition = {
  spec: {
    group: 'sea.example',
    scope: 'Namespaced',
    names: { plural: 'boats', singular: 'boat', kind: 'Boat', listKind: 'BoatList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

describe('a namespace that is deleted', () => {
  let house: TestServer;
  before(async () => {
    house = await startTestServer({ housekeeping: true });
  });
  after(() => house.stop());

  const find = (name: string) => house.find(kinds.namespace, { name });
  const conditionOf = async (name: string, type: string) => {
    const condition = (await find(name))?.status?.conditions?.find((candidate) => candidate.type === type);
    return condition && `${condition.status} ${condition.reason}: ${condition.message}`;
  };
  const unfinalize = (kind: Kind, namespace: string, name: string) =>
    house.client.patch(kind, { namespace, name }, { type: 'merge', value: { metadata: { finalizers: null } } });

  test('goes when it is empty', async () => {
    await house.create(kinds.namespace, { metadata: { name: 'empty' } });
    await house.settle();
    await house.client.delete(kinds.namespace, { name: 'empty' });
    await house.settle();
    assert.equal(await find('empty'), undefined);
  });

  test('takes all that is in it along', async () => {
    await house.create(kinds.namespace, { metadata: { name: 'full' } });
    for (const name of ['a', 'b']) {
      await house.create(kinds.configMap, { metadata: { name, namespace: 'full' } });
      await house.create(kinds.secret, { metadata: { name, namespace: 'full' } });
    }
    await house.client.delete(kinds.namespace, { name: 'full' });
    await house.settle();
    assert.equal(await find('full'), undefined);
    assert.deepEqual(await namesOf(house, kinds.configMap, 'full'), []);
  });

  test('says what it waits for, and goes when that is gone', async () => {
    await house.create(kinds.namespace, { metadata: { name: 'held' } });
    await house.settle();
    for (const name of ['a', 'b']) {
      await house.create(kinds.secret, { metadata: { name, namespace: 'held', finalizers: ['x.y/z'] } });
    }
    await house.client.delete(kinds.namespace, { name: 'held' });
    await house.settle();
    assert.equal((await find('held'))?.status?.phase, 'Terminating');
    assert.equal(
      await conditionOf('held', 'NamespaceContentRemaining'),
      'True SomeResourcesRemain: Some resources are remaining: secrets. has 2 resource instances',
    );
    assert.equal(
      await conditionOf('held', 'NamespaceFinalizersRemaining'),
      'True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: x.y/z in 2 resource instances',
    );
    assert.equal(
      await conditionOf('held', 'NamespaceDeletionContentFailure'),
      'False ContentDeleted: All content successfully deleted, may be waiting on finalization',
    );
    await unfinalize(kinds.secret, 'held', 'a');
    await house.settle();
    assert.match((await conditionOf('held', 'NamespaceContentRemaining')) ?? '', /has 1 resource instances/);
    await unfinalize(kinds.secret, 'held', 'b');
    await house.settle();
    assert.equal(await find('held'), undefined);
  });

  test('keeps the rest until its pods are gone', async () => {
    await house.create(kinds.namespace, { metadata: { name: 'crewed' } });
    await house.settle();
    const containers = [{ name: 'c', image: 'i' }];
    await house.create(kinds.pod, {
      metadata: { name: 'sailor', namespace: 'crewed', finalizers: ['x.y/z'] },
      spec: { containers },
    });
    await house.create(kinds.configMap, { metadata: { name: 'cargo', namespace: 'crewed' } });
    await house.client.delete(kinds.namespace, { name: 'crewed' });
    await house.settle();
    assert.equal(
      (await house.find(kinds.configMap, { namespace: 'crewed', name: 'cargo' }))?.metadata.deletionTimestamp,
      undefined,
    );
    assert.ok((await house.find(kinds.pod, { namespace: 'crewed', name: 'sailor' }))?.metadata.deletionTimestamp);
    assert.equal(
      await conditionOf('crewed', 'NamespaceContentRemaining'),
      'False ContentRemoved: All content successfully removed',
    );
    await unfinalize(kinds.pod, 'crewed', 'sailor');
    await house.settle();
    assert.equal(await find('crewed'), undefined);
  });

  test('goes although a pod may take longer than a double can count', async () => {
    await house.create(kinds.namespace, { metadata: { name: 'patient' } });
    await house.settle();
    const spec = { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 2n ** 63n - 1n };
    await house.create(kinds.pod, { metadata: { name: 'sailor', namespace: 'patient', finalizers: ['x.y/z'] }, spec });
    await house.client.delete(kinds.namespace, { name: 'patient' });
    await house.settle();
    assert.match((await conditionOf('patient', 'NamespaceDeletionContentFailure')) ?? '', /^False /);
    await unfinalize(kinds.pod, 'patient', 'sailor');
    await house.settle();
    assert.equal(await find('patient'), undefined);
  });

  test('takes along objects of kinds that were defined a moment ago', async () => {
    await house.create(customResourceDefinitions, { metadata: { name: 'boats.sea.example' }, ...boatDefinition });
    await house.create(kinds.namespace, { metadata: { name: 'marina' } });
    await house.create(boats, { metadata: { name: 'skiff', namespace: 'marina', finalizers: ['x.y/z'] } });
    await house.client.delete(kinds.namespace, { name: 'marina' });
    await house.settle();
    assert.match(
      (await conditionOf('marina', 'NamespaceContentRemaining')) ?? '',
      /boats\.sea\.example has 1 resource/,
    );
    await unfinalize(boats, 'marina', 'skiff');
    await house.settle();
    assert.equal(await find('marina'), undefined);
    await house.client.delete(customResourceDefinitions, { name: 'boats.sea.example' });
    await house.settle();
  });

  test('does not wait for dependents that go anyway', async () => {
    await house.create(kinds.namespace, { metadata: { name: 'owners' } });
    await house.create(kinds.secret, { metadata: { name: 'a', namespace: 'owners', finalizers: ['orphan'] } });
    await house.client.delete(kinds.namespace, { name: 'owners' });
    await house.settle();
    assert.equal(await find('owners'), undefined);
  });
});

describe('a namespace that is deleted while nobody can say what is served', () => {
  let house: TestServer;
  let isDiscoverable = true;
  before(async () => {
    house = await startTestServer({ housekeeping: { through: undiscoverable(() => !isDiscoverable) } });
  });
  after(() => house.stop());

  test('says so, and goes when it is known again', async () => {
    await house.create(kinds.namespace, { metadata: { name: 'fog' } });
    await house.settle();
    isDiscoverable = false;
    await house.create(customResourceDefinitions, { metadata: { name: 'boats.sea.example' }, ...boatDefinition });
    await house.client.delete(kinds.namespace, { name: 'fog' });
    await house.clock.advance(3000);
    const { status } = await house.client.get(kinds.namespace, { name: 'fog' });
    const [condition] = status?.conditions ?? [];
    assert.deepEqual(
      [condition?.type, condition?.status, condition?.reason, condition?.message],
      ['NamespaceDeletionDiscoveryFailure', 'True', 'DiscoveryFailed', 'no way through'],
    );
    isDiscoverable = true;
    await house.settle();
    assert.equal(await house.find(kinds.namespace, { name: 'fog' }), undefined);
  });
});

/** A way to the server on which nobody gets to hear what it serves while `isCut` says so. */
function undiscoverable(isCut: () => boolean): (transport: Transport) => Transport {
  return (transport) => ({
    ...transport,
    send: (request) =>
      isCut() && request.path === '/apis'
        ? Promise.reject(new ConnectionError('no way through', 'unreachable'))
        : transport.send(request),
  });
}
