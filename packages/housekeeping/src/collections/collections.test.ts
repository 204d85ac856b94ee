import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { customResourceDefinitions, type Kind, type ObjectMeta } from '@flotilla/kube';
import { kinds } from '../kinds.ts';
import { House, ownerOf } from '../house.testing.ts';

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

describe('collections of custom kinds', () => {
  let house: House;
  before(async () => {
    house = await House.start({ convert: (object, apiVersion) => ({ ...object, apiVersion }) });
  });
  after(() => house.close());

  const define = async (versions: readonly string[], more: object = {}): Promise<void> => {
    await house.create(customResourceDefinitions, { name: 'boats.sea.example' }, spec(versions, more));
    await house.settle();
  };
  const undefine = async (): Promise<void> => {
    await house.client.delete(customResourceDefinitions, { name: 'boats.sea.example' });
    await house.settle();
  };
  const boat = (version: string, metadata: ObjectMeta) =>
    house.create(boats(version), { namespace: 'default', ...metadata });
  const collects = async (version: string): Promise<void> => {
    const owner = await boat(version, { name: 'mother' });
    await boat(version, { name: 'dinghy', ownerReferences: [ownerOf(owner)] });
    await house.configMap('cargo', { ownerReferences: [ownerOf(owner)] });
    await house.settle();
    assert.deepEqual(await house.names(boats(version)), ['dinghy', 'mother']);
    await house.client.delete(boats(version), { namespace: 'default', name: 'mother' });
    await house.settle();
    assert.deepEqual(await house.names(boats(version)), []);
    assert.deepEqual(await house.names(kinds.configMap), []);
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
    assert.deepEqual(await house.names(boats('v2')), []);
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
    await house.configMap('early', { ownerReferences });
    await house.settle();
    assert.deepEqual(await house.names(kinds.configMap), ['early']);
    await define(['v1']);
    assert.deepEqual(await house.names(kinds.configMap), []);
    await undefine();
  });
});
