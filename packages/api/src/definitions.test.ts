/** Installs our definitions on a server of ours. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ApiError, customResourceDefinitions, type KubeObject } from '@flotilla/kube';
import { startTestServer, type TestServer } from '@flotilla/testkit';
import { memberClusters, type MemberCluster } from './cluster/member-cluster.ts';
import { definitions, hubDefinitions, memberDefinitions } from './definitions.ts';
import { clusterProfiles } from './multicluster/cluster-profile.ts';
import { works, type Work } from './work/work.ts';

const all = await definitions();

async function serverWithDefinitions(): Promise<TestServer> {
  const server = await startTestServer();
  for (const definition of all) {
    const object = definition as unknown as KubeObject;
    await server.client.create(customResourceDefinitions, object, { fieldValidation: 'Strict' });
  }
  return server;
}

describe('our definitions', () => {
  const untouched = structuredClone(all);
  let installed: TestServer;
  before(async () => {
    installed = await serverWithDefinitions();
  });
  after(() => installed.stop());

  for (const { metadata } of all) {
    test(`establish ${metadata.name}`, async () => {
      const { status } = await installed.client.get(customResourceDefinitions, { name: metadata.name ?? '' });
      const { conditions } = status as { conditions: { type: string; status: string }[] };
      assert.deepEqual(Object.fromEntries(conditions.map(({ type, status }) => [type, status])), {
        NamesAccepted: 'True',
        Established: 'True',
      });
    });
  }

  test('are not changed by installing them', () => {
    assert.deepEqual(all, untouched);
  });

  test('are each for a hub or for a member', async () => {
    const [hub, member] = [await hubDefinitions(), await memberDefinitions()];
    assert.deepEqual(new Set([...hub, ...member]), new Set(all));
    assert.equal(hub.length + member.length, all.length);
    assert.deepEqual(
      member.map(({ spec }) => spec.names.kind),
      ['AppliedWork'],
    );
  });
});

describe('objects of our kinds', () => {
  let server: TestServer;
  let client: TestServer['client'];
  before(async () => {
    server = await serverWithDefinitions();
    ({ client } = server);
  });
  after(() => server.stop());

  const paris: MemberCluster = {
    apiVersion: 'cluster.kubernetes-fleet.io/v1beta1',
    kind: 'MemberCluster',
    metadata: { name: 'paris' },
    spec: {
      identity: { kind: 'User', name: 'agent-of-paris' },
      heartbeatPeriodSeconds: 15,
      deleteOptions: { validationMode: 'Skip' },
    },
  };

  test('get their defaults', async () => {
    const { spec } = await client.create<KubeObject>(memberClusters, {
      ...paris,
      metadata: { name: 'oslo' },
      spec: { identity: paris.spec.identity, deleteOptions: {} },
    });
    assert.deepEqual(spec, {
      identity: paris.spec.identity,
      heartbeatPeriodSeconds: 60,
      deleteOptions: { validationMode: 'Strict' },
    });
  });

  test('are served in an older version without the fields that it lacks', async () => {
    await client.create(memberClusters, paris);
    const { spec } = await client.get({ ...memberClusters, version: 'v1' }, { name: 'paris' });
    assert.deepEqual(spec, { identity: paris.spec.identity, heartbeatPeriodSeconds: 15 });
  });

  test('are refused with the messages of their rules', async () => {
    const long = { ...paris, metadata: { name: 'p'.repeat(64) } };
    await assert.rejects(
      client.create(memberClusters, long),
      (error) => error instanceof ApiError && error.message.includes('metadata.name max length is 63'),
    );
    const profile = await client.create(clusterProfiles, {
      apiVersion: 'multicluster.x-k8s.io/v1alpha1',
      kind: 'ClusterProfile',
      metadata: { name: 'paris', namespace: 'default' },
      spec: { clusterManager: { name: 'KubeFleet' } },
    });
    await assert.rejects(
      client.update(clusterProfiles, { ...profile, spec: { clusterManager: { name: 'another' } } }),
      (error) => error instanceof ApiError && error.message.includes('ClusterManager is immutable'),
    );
  });

  test('preserve manifests', async () => {
    const manifest = {
      apiVersion: 'example.com/v1',
      kind: 'Ship',
      metadata: { name: 'oak', annotations: { anchor: 'up' } },
      sails: [{ colour: 'red', area: { main: 40 } }],
    };
    const work: Work = {
      apiVersion: 'placement.kubernetes-fleet.io/v1beta1',
      kind: 'Work',
      metadata: { name: 'ships', namespace: 'default' },
      spec: { workload: { manifests: [manifest] } },
    };
    const { spec } = await client.create(works, work);
    assert.deepEqual(spec?.workload?.manifests, [manifest]);
  });
});
