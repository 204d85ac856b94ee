import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { customResourceDefinitions, type Kind, type ObjectMeta, type KubeObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { kinds } from '../kinds.ts';
import { discoveryFailure } from './collections.ts';
import { createConfigMap, namesOf, ownerOf } from '../objects.testing.ts';

const names = { plural: 'boats', singular: 'boat', kind: 'Boat', listKind: 'BoatList' };

function boats(version: string): Kind {
  return { group: 'sea.example', version, kind: 'Boat', plural: 'boats', namespaced: true };
}

function spec(versions: readonly string[], more: object = {}): object {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    spec: {
      group: 'sea.example',
      scope: 'Namespaced',
      names,
      versions: versions.map((name, at) => ({ name, served: true, storage: at === 0, schema })),
      ...more,
    },
  };
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: KubeObject[] };
}

/** Converts objects by writing another version on them. */
function callWebhook({ body }: { readonly body: Uint8Array }): Promise<{ status: number; body: Uint8Array }> {
  const { apiVersion, kind, request } = JSON.parse(Buffer.from(body).toString('utf8')) as Review;
  const convertedObjects = request.objects.map((object) => ({ ...object, apiVersion: request.desiredAPIVersion }));
  const response = { uid: request.uid, result: { status: 'Success' }, convertedObjects };
  return Promise.resolve({ status: 200, body: Buffer.from(JSON.stringify({ apiVersion, kind, response })) });
}

describe('collections of custom kinds', () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ housekeeping: true, callWebhook });
  });
  after(() => server.stop());

  const define = async (versions: readonly string[], more: object = {}): Promise<void> => {
    await server.create(customResourceDefinitions, {
      metadata: { name: 'boats.sea.example' },
      ...spec(versions, more),
    });
    await server.settle();
  };
  const undefine = async (): Promise<void> => {
    await server.client.delete(customResourceDefinitions, { name: 'boats.sea.example' });
    await server.settle();
  };
  const boat = (version: string, metadata: ObjectMeta) =>
    server.create(boats(version), { metadata: { namespace: 'default', ...metadata } });
  const collects = async (version: string): Promise<void> => {
    const owner = await boat(version, { name: 'mother' });
    await boat(version, { name: 'dinghy', ownerReferences: [ownerOf(owner)] });
    await createConfigMap(server, 'cargo', { ownerReferences: [ownerOf(owner)] });
    await server.settle();
    assert.deepEqual(await namesOf(server, boats(version)), ['dinghy', 'mother']);
    await server.client.delete(boats(version), { namespace: 'default', name: 'mother' });
    await server.settle();
    assert.deepEqual(await namesOf(server, boats(version)), []);
    assert.deepEqual(await namesOf(server, kinds.configMap), []);
  };

  test('are watched as soon as their kind is served', async () => {
    await define(['v1']);
    await collects('v1');
    await undefine();
  });

  test('are watched after a change of their definition', async () => {
    await define(['v1']);
    const owner = await boat('v1', { name: 'mother' });
    await boat('v1', { name: 'dinghy', ownerReferences: [ownerOf(owner)] });
    await server.settle();
    const key = { name: 'boats.sea.example' };
    await server.client.patch(customResourceDefinitions, key, { type: 'merge', value: spec(['v1', 'v2']) as never });
    await server.settle();
    await server.client.delete(boats('v2'), { namespace: 'default', name: 'mother' });
    await server.settle();
    assert.deepEqual(await namesOf(server, boats('v2')), []);
    await undefine();
  });

  test('are watched if a webhook converts their objects', async () => {
    const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://hooks.test/convert' } };
    await define(['v1', 'v2'], { conversion: { strategy: 'Webhook', webhook } });
    await collects('v1');
    await collects('v2');
    await undefine();
  });

  test('cause the deletion of objects that named a missing owner before their kind was served', async () => {
    const ownerReferences = [{ apiVersion: 'sea.example/v1', kind: 'Boat', name: 'ghost', uid: 'no-such-uid' }];
    await createConfigMap(server, 'early', { ownerReferences });
    await server.settle();
    assert.deepEqual(await namesOf(server, kinds.configMap), ['early']);
    await define(['v1']);
    assert.deepEqual(await namesOf(server, kinds.configMap), []);
    await undefine();
  });
});

describe('the failure of discovery', () => {
  test('names stale groups in order', () => {
    const stale = [
      { group: 'sea.example', version: 'v1' },
      { group: 'air.example', version: 'v2' },
    ];
    assert.equal(
      discoveryFailure(stale),
      'Discovery failed for some groups, 2 failing: unable to retrieve the complete list of server APIs: ' +
        'air.example/v2: stale GroupVersion discovery: air.example/v2, ' +
        'sea.example/v1: stale GroupVersion discovery: sea.example/v1',
    );
  });

  test('is undefined if no group is stale', () => {
    assert.equal(discoveryFailure([]), undefined);
  });
});
