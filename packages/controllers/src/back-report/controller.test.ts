import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  clusterFamily,
  memberNamespace,
  namespacedFamily,
  placementLabel,
  placementNamespaceLabel,
  works,
  type ManifestCondition,
} from '@flotilla/api';
import { customResourceDefinitions, deployments, events, namespaces, type JsonObject, type Kind } from '@flotilla/kube';
import { deployment, startTestHub, type TestHub } from '@flotilla/testkit';
import { aNamespaceSelector } from '../placement/status/status.testing.ts';

const member = memberNamespace('sea');
const databases: Kind = {
  group: 'example.com',
  version: 'v1',
  kind: 'Database',
  plural: 'databases',
  namespaced: true,
};
const placed = [
  { group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'team', name: 'web' },
  { group: 'example.com', version: 'v1', kind: 'Database', namespace: 'team', name: 'main' },
  { version: 'v1', kind: 'Namespace', name: 'team' },
];

describe('the statuses of placed objects', () => {
  let hub: TestHub;
  before(async () => {
    hub = await startTestHub({ controllers: ['back-report'] });
    for (const name of ['team', member]) await hub.server.create(namespaces, { metadata: { name } });
    await hub.server.create(customResourceDefinitions, { metadata: { name: 'databases.example.com' }, spec: database });
    await hub.settle();
    await hub.client.create(deployments, deployment('web', { replicas: 3 }, { namespace: 'team' }));
    await hub.server.create(databases, { metadata: { namespace: 'team', name: 'main' }, spec: { size: 1 } });
  });
  after(() => hub.stop());

  async function place(family: typeof clusterFamily, key: { namespace?: string; name: string }): Promise<void> {
    const spec = {
      resourceSelectors: [aNamespaceSelector('team')],
      policy: { placementType: 'PickFixed', clusterNames: ['sea'] },
      strategy: { type: 'RollingUpdate', reportBackStrategy: { type: 'Mirror', destination: 'OriginalResource' } },
    };
    const labels = {
      [placementLabel]: key.name,
      ...(key.namespace !== undefined && { [placementNamespaceLabel]: key.namespace }),
    };
    await hub.server.create(family.placement, { metadata: { ...key }, spec });
    await hub.server.create(works, {
      metadata: { namespace: member, name: `${key.name}-work`, labels },
      spec: { workload: { manifests: [] }, reportBackStrategy: spec.strategy.reportBackStrategy },
    });
  }

  /** Plays the placement controller. */
  async function choose(family: typeof clusterFamily, key: { namespace?: string; name: string }): Promise<void> {
    const value = { status: { selectedResources: placed, placementStatuses: [{ clusterName: 'sea' }] } };
    await hub.client.patch(family.placement, key, { type: 'merge', value }, { subresource: 'status' });
    await hub.settle();
  }

  /** Plays the agent. */
  async function report(name: string, statuses: readonly JsonObject[], observationTime: string): Promise<void> {
    const manifestConditions = placed.map((resource, ordinal): ManifestCondition => {
      const observedStatus = { apiVersion: 'any', kind: 'any', status: statuses[ordinal] };
      return {
        identifier: { ordinal, ...resource },
        conditions: [],
        backReportedStatus: { observedStatus, observationTime },
      };
    });
    const applied = {
      type: 'Applied',
      status: 'True',
      reason: 'AllManifestsApplied',
      message: '',
      observedGeneration: 1,
    };
    const value = {
      status: { conditions: [{ ...applied, lastTransitionTime: observationTime }], manifestConditions },
    } as JsonObject;
    await hub.client.patch(works, { namespace: member, name }, { type: 'merge', value }, { subresource: 'status' });
    await hub.settle();
  }

  /** Events are written when the controllers have nothing else to do. */
  async function failureEvent(): Promise<{ message?: string; involvedObject?: JsonObject }> {
    for (let seconds = 0; seconds < 10; seconds++) {
      const { items } = await hub.client.list(events);
      const found = items.find(({ reason }) => reason === 'StatusBackReportFailed');
      if (found !== undefined) return found as { message?: string; involvedObject?: JsonObject };
      await hub.clock.advance(1000);
    }
    return {};
  }

  const web = () => hub.client.get(deployments, { namespace: 'team', name: 'web' });
  const main = () => hub.client.get(databases, { namespace: 'team', name: 'main' });
  const up = { replicas: 3, readyReplicas: 3, availableReplicas: 3, observedGeneration: 7 };

  test('come to the originals once the placement says where they are', async () => {
    const before = await web();
    await place(clusterFamily, { name: 'web' });
    await report('web-work', [up, { phase: 'Ready', host: 'a' }, { phase: 'Terminating' }], '2026-01-01T00:00:00Z');
    assert.equal((await main())['status'], undefined);
    await choose(clusterFamily, { name: 'web' });
    const { metadata, spec, status } = await web();
    assert.deepEqual(status, up);
    assert.deepEqual(spec, before['spec']);
    assert.equal(metadata.generation, before.metadata.generation);
    assert.deepEqual((await main())['status'], { phase: 'Ready', host: 'a' });
    const namespace = await hub.client.get(namespaces, { name: 'team' });
    assert.deepEqual(namespace['status'], { phase: 'Active' });
  });

  test('are replaced, not merged', async () => {
    await report('web-work', [up, { phase: 'Failed' }, {}], '2026-01-01T00:01:00Z');
    assert.deepEqual((await main())['status'], { phase: 'Failed' });
  });

  test('are not written again with another time of observation, nor after a restart', async () => {
    await report('web-work', [up, { phase: 'Failed' }, {}], '2026-01-01T00:02:00Z');
    const { revision } = hub;
    await hub.stopControllers();
    await hub.startControllers();
    assert.equal(hub.revision, revision);
  });

  test('that the hub refuses are named in an event, and do not hold up others', async () => {
    await report('web-work', [{ replicas: -1 }, { phase: 'Ready' }, {}], '2026-01-01T00:03:00Z');
    assert.deepEqual((await main())['status'], { phase: 'Ready' });
    assert.deepEqual((await web())['status'], up);
    const { message, involvedObject = {} } = await failureEvent();
    assert.match(message ?? '', /status\.replicas/);
    assert.equal(involvedObject['name'], 'web');
  });

  test('come to the originals of a ResourcePlacement, too', async () => {
    await hub.client.delete(works, { namespace: member, name: 'web-work' });
    const key = { namespace: 'team', name: 'own' };
    await place(namespacedFamily, key);
    await choose(namespacedFamily, key);
    await report('own-work', [{ ...up, replicas: 4 }, { phase: 'Own' }, {}], '2026-01-01T00:04:00Z');
    assert.deepEqual((await main())['status'], { phase: 'Own' });
    assert.equal(((await web())['status'] as JsonObject)['replicas'], 4);
  });
});

const database = {
  group: 'example.com',
  scope: 'Namespaced',
  names: { kind: 'Database', plural: 'databases', singular: 'database', listKind: 'DatabaseList' },
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      subresources: { status: {} },
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  ],
};
