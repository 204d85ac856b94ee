/** KubeFleet's v1 lacks fields of the stored version, so a write through it drops them, and with them `Abandon`. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonObject, Kind } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { definitions } from '../definitions.ts';
import { families } from './families.ts';

const strategy = {
  type: 'RollingUpdate',
  deleteStrategy: { propagationPolicy: 'Abandon' },
  reportBackStrategy: { type: 'Mirror', destination: 'WorkAPI' },
};

const resourceSelectors = [
  { group: '', version: 'v1', kind: 'ConfigMap', name: 'settings', selectionScope: 'NamespaceWithResources' },
];

describe('a placement that abandons its resources still does after a write through v1', () => {
  let server: TestServer;
  before(async () => {
    const wanted = new Set(families.map(({ placement }) => placement.kind));
    const kinds = (await definitions()).filter(({ spec }) => wanted.has(spec.names.kind));
    server = await startTestServer({ definitions: kinds });
  });
  after(() => server.stop());

  for (const { placement } of families) {
    const inV1: Kind = { ...placement, version: 'v1' };
    const key = { ...(placement.namespaced && { namespace: 'default' }), name: 'web' };
    const stored = async (): Promise<JsonObject> =>
      (await server.client.get(placement, key)).spec.strategy as JsonObject;

    test(`that labels a ${placement.kind}`, async () => {
      await server.create(placement, { metadata: key, spec: { resourceSelectors, strategy } });
      await server.client.patch(inV1, key, { type: 'merge', value: { metadata: { labels: { tide: 'high' } } } });
      assert.deepEqual(await stored(), strategy);
    });

    test(`that edits a ${placement.kind}`, async () => {
      const read = await server.client.get(inV1, key);
      const spec = { ...(read['spec'] as JsonObject), revisionHistoryLimit: 3 };
      await server.client.update(inV1, { ...read, spec });
      assert.equal((await server.client.get(placement, key)).spec.revisionHistoryLimit, 3);
      assert.deepEqual(await stored(), strategy);
    });

    test(`that applies a ${placement.kind}`, async () => {
      const applied = {
        apiVersion: 'placement.kubernetes-fleet.io/v1',
        kind: placement.kind,
        metadata: key,
        spec: { resourceSelectors, revisionHistoryLimit: 4 },
      };
      await server.client.apply(inV1, applied, { fieldManager: 'user', force: true });
      assert.equal((await server.client.get(placement, key)).spec.revisionHistoryLimit, 4);
      assert.deepEqual(await stored(), strategy);
    });
  }
});
