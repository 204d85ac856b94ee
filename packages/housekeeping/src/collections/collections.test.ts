import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { customResourceDefinitions, type Kind, type ObjectMeta, type KubeObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { kinds } from '../kinds.ts';
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
  let house: TestServer;
  before(async () => {
    house = await startTestServer({ housekeeping: true, callWebhook });
  });
  after(() => house.stop());

  const define = async (versions: readonly string[], more: object = {}): Promise<void> => {
    await house.create(customResourceDefinitions, { metadata: { name: 'boats.sea.example' }, ...spec(versions, more) });
    await house.settle();
  };
  const undefine = async (): Promise<void> => {
    await house.client.delete(customResourceDefinitions, { name: 'boats.sea.example' });
    await house.settle();
  };
  const boat = (version: string, metadata: ObjectMeta) =>
    house.create(boats(version), { metadata: { namespace: 'default', ...metadata } });
  const collects = async (version: string): Promise<void> => {
    const owner = await boat(version, { name: 'mother' });
    await boat(version, { name: 'dinghy', ownerReferences: [ownerOf(owner)] });
    await createConfigMap(house, 'cargo', { ownerReferences: [ownerOf(owner)] });
    await house.settle();
    assert.deepEqual(await namesOf(house, boats(version)), ['dinghy', 'mother']);
    await house.client.delete(boats(version), { namespace: 'default', name: 'mother' });
    await house.settle();
    assert.deepEqual(await namesOf(house, boats(version)), []);
    assert.deepEqual(await namesOf(house, kinds.configMap), []);
  };

  test('are followed from the moment that their kind is served', async () => {
    await define(['v1']);
    await collects('v1');
    await undefine();
  });

  test('are followed when their definition changes', async () => {
    await define(['v1']);
    const owner = await boat('v1', { name: 'mother' });
    await boat('v1', { name: 'dinghy', ownerReferences: [ownerOf(owner)] });
    await house.settle();
    const key = { name: 'boats.sea.example' };
    await house.client.patch(customResourceDefinitions, key, { type: 'merge', value: spec(['v1', 'v2']) as never });
    await house.settle();
    await house.client.delete(boats('v2'), { namespace: 'default', name: 'mother' });
    await house.settle();
    assert.deepEqual(await namesOf(house, boats('v2')), []);
    await undefine();
  });

  test('are followed where a webhook converts their objects', async () => {
    const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://hooks.test/convert' } };
    await define(['v1', 'v2'], { conversion: { strategy: 'Webhook', webhook } });
    await collects('v1');
    await collects('v2');
    await undefine();
  });

  test('that appear settle the case of those that named an owner in them', async () => {
    const ownerReferences = [{ apiVersion: 'sea.example/v1', kind: 'Boat', name: 'ghost', uid: 'no-such-uid' }];
    await createConfigMap(house, 'early', { ownerReferences });
    await house.settle();
    assert.deepEqual(await namesOf(house, kinds.configMap), ['early']);
    await define(['v1']);
    assert.deepEqual(await namesOf(house, kinds.configMap), []);
    await undefine();
  });
});
