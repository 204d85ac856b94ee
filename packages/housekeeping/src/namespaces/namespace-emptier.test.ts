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
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ housekeeping: true });
  });
  after(() => server.stop());

  const find = (name: string) => server.find(kinds.namespace, { name });
  const conditionOf = async (name: string, type: string) => {
    const condition = (await find(name))?.status?.conditions?.find((candidate) => candidate.type === type);
    return condition && `${condition.status} ${condition.reason}: ${condition.message}`;
  };
  const unfinalize = (kind: Kind, namespace: string, name: string) =>
    server.client.patch(kind, { namespace, name }, { type: 'merge', value: { metadata: { finalizers: null } } });

  test('disappears when it is empty', async () => {
    await server.create(kinds.namespace, { metadata: { name: 'empty' } });
    await server.settle();
    await server.client.delete(kinds.namespace, { name: 'empty' });
    await server.settle();
    assert.equal(await find('empty'), undefined);
  });

  test('loses all its content before it disappears', async () => {
    await server.create(kinds.namespace, { metadata: { name: 'full' } });
    for (const name of ['a', 'b']) {
      await server.create(kinds.configMap, { metadata: { name, namespace: 'full' } });
      await server.create(kinds.secret, { metadata: { name, namespace: 'full' } });
    }
    await server.client.delete(kinds.namespace, { name: 'full' });
    await server.settle();
    assert.equal(await find('full'), undefined);
    assert.deepEqual(await namesOf(server, kinds.configMap, 'full'), []);
  });

  test('reports remaining objects, and disappears after them', async () => {
    await server.create(kinds.namespace, { metadata: { name: 'held' } });
    await server.settle();
    for (const name of ['a', 'b']) {
      await server.create(kinds.secret, { metadata: { name, namespace: 'held', finalizers: ['x.y/z'] } });
    }
    await server.client.delete(kinds.namespace, { name: 'held' });
    await server.settle();
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
    await server.settle();
    assert.match((await conditionOf('held', 'NamespaceContentRemaining')) ?? '', /has 1 resource instances/);
    await unfinalize(kinds.secret, 'held', 'b');
    await server.settle();
    assert.equal(await find('held'), undefined);
  });

  test('keeps other objects until its pods are gone', async () => {
    await server.create(kinds.namespace, { metadata: { name: 'crewed' } });
    await server.settle();
    const containers = [{ name: 'c', image: 'i' }];
    await server.create(kinds.pod, {
      metadata: { name: 'sailor', namespace: 'crewed', finalizers: ['x.y/z'] },
      spec: { containers },
    });
    await server.create(kinds.configMap, { metadata: { name: 'cargo', namespace: 'crewed' } });
    await server.client.delete(kinds.namespace, { name: 'crewed' });
    await server.settle();
    assert.equal(
      (await server.find(kinds.configMap, { namespace: 'crewed', name: 'cargo' }))?.metadata.deletionTimestamp,
      undefined,
    );
    assert.ok((await server.find(kinds.pod, { namespace: 'crewed', name: 'sailor' }))?.metadata.deletionTimestamp);
    assert.equal(
      await conditionOf('crewed', 'NamespaceContentRemaining'),
      'False ContentRemoved: All content successfully removed',
    );
    await unfinalize(kinds.pod, 'crewed', 'sailor');
    await server.settle();
    assert.equal(await find('crewed'), undefined);
  });

  test('is emptied although the grace period of a pod exceeds the integers of a double', async () => {
    await server.create(kinds.namespace, { metadata: { name: 'patient' } });
    await server.settle();
    const spec = { containers: [{ name: 'c', image: 'i' }], terminationGracePeriodSeconds: 2n ** 63n - 1n };
    await server.create(kinds.pod, { metadata: { name: 'sailor', namespace: 'patient', finalizers: ['x.y/z'] }, spec });
    await server.client.delete(kinds.namespace, { name: 'patient' });
    await server.settle();
    assert.match((await conditionOf('patient', 'NamespaceDeletionContentFailure')) ?? '', /^False /);
    await unfinalize(kinds.pod, 'patient', 'sailor');
    await server.settle();
    assert.equal(await find('patient'), undefined);
  });

  test('loses objects of a kind that was defined immediately before', async () => {
    await server.create(customResourceDefinitions, { metadata: { name: 'boats.sea.example' }, ...boatDefinition });
    await server.create(kinds.namespace, { metadata: { name: 'marina' } });
    await server.create(boats, { metadata: { name: 'skiff', namespace: 'marina', finalizers: ['x.y/z'] } });
    await server.client.delete(kinds.namespace, { name: 'marina' });
    await server.settle();
    assert.match(
      (await conditionOf('marina', 'NamespaceContentRemaining')) ?? '',
      /boats\.sea\.example has 1 resource/,
    );
    await unfinalize(boats, 'marina', 'skiff');
    await server.settle();
    assert.equal(await find('marina'), undefined);
    await server.client.delete(customResourceDefinitions, { name: 'boats.sea.example' });
    await server.settle();
  });

  test('does not wait for dependents, which are deleted as well', async () => {
    await server.create(kinds.namespace, { metadata: { name: 'owners' } });
    await server.create(kinds.secret, { metadata: { name: 'a', namespace: 'owners', finalizers: ['orphan'] } });
    await server.client.delete(kinds.namespace, { name: 'owners' });
    await server.settle();
    assert.equal(await find('owners'), undefined);
  });
});

describe('a namespace that is deleted while discovery fails', () => {
  let server: TestServer;
  let isDiscoverable = true;
  before(async () => {
    server = await startTestServer({ housekeeping: { wrap: undiscoverable(() => !isDiscoverable) } });
  });
  after(() => server.stop());

  test('reports the failure, and disappears when discovery succeeds', async () => {
    await server.create(kinds.namespace, { metadata: { name: 'fog' } });
    await server.settle();
    isDiscoverable = false;
    await server.create(customResourceDefinitions, { metadata: { name: 'boats.sea.example' }, ...boatDefinition });
    await server.client.delete(kinds.namespace, { name: 'fog' });
    await server.clock.advance(3000);
    const { status } = await server.client.get(kinds.namespace, { name: 'fog' });
    const [condition] = status?.conditions ?? [];
    assert.deepEqual(
      [condition?.type, condition?.status, condition?.reason, condition?.message],
      ['NamespaceDeletionDiscoveryFailure', 'True', 'DiscoveryFailed', 'no route to host'],
    );
    isDiscoverable = true;
    await server.settle();
    assert.equal(await server.find(kinds.namespace, { name: 'fog' }), undefined);
  });
});

/** Fails requests for discovery while `isCut` returns true. */
function undiscoverable(isCut: () => boolean): (transport: Transport) => Transport {
  return (transport) => ({
    ...transport,
    send: (request) =>
      isCut() && request.path === '/apis'
        ? Promise.reject(new ConnectionError('no route to host', 'unreachable'))
        : transport.send(request),
  });
}
