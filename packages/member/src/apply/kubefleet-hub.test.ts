import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { appliedWorks, works, type Work } from '@flotilla/api';
import {
  clusterPlacementWork,
  envelopeWork,
  namespacedPlacementWork,
  type RecordedWork,
} from './kubefleet-works.testing.ts';
import { manifestOf, namespace, conditionsOf, TestApplier } from './applier.testing.ts';

const now = '2026-01-01T00:00:00Z';

async function placed(fleet: TestApplier, { version, name, body }: RecordedWork): Promise<Work> {
  const path = `/apis/placement.kubernetes-fleet.io/${version}/namespaces/${namespace}/works`;
  await fleet.hub.client.request({ method: 'POST', path, body: Buffer.from(body) });
  await fleet.settle();
  return fleet.work(name);
}

/** Without messages, which differ from KubeFleet's. */
function withoutMessages(status: unknown): unknown {
  return JSON.parse(JSON.stringify(status, (key, value: unknown) => (key === 'message' ? undefined : value)));
}

const applied = (observedGeneration?: number) => condition('Applied', 'True', 'Applied', observedGeneration);
const available = (observedGeneration?: number) => condition('Available', 'True', 'Available', observedGeneration);

function condition(type: string, status: string, reason: string, observedGeneration?: number) {
  return {
    type,
    status,
    ...(observedGeneration !== undefined && { observedGeneration }),
    lastTransitionTime: now,
    reason,
  };
}

describe("a Work of KubeFleet's hub", () => {
  test('for a namespace gets the status that KubeFleet expects, field by field', async () => {
    const fleet = await TestApplier.start();
    const work = await placed(fleet, clusterPlacementWork);
    assert.deepEqual(withoutMessages(work.status), {
      conditions: [
        condition('Applied', 'True', 'AllManifestsApplied', 1),
        condition('Available', 'False', 'SomeManifestsAreNotAvailable', 1),
      ],
      manifestConditions: [
        {
          identifier: { ordinal: 0, version: 'v1', kind: 'Namespace', resource: 'namespaces', name: 'shop' },
          conditions: [applied(), available()],
        },
        {
          identifier: {
            ordinal: 1,
            version: 'v1',
            kind: 'ConfigMap',
            resource: 'configmaps',
            namespace: 'shop',
            name: 'prices',
          },
          conditions: [applied(), available()],
        },
        {
          identifier: {
            ordinal: 2,
            version: 'v1',
            kind: 'Service',
            resource: 'services',
            namespace: 'shop',
            name: 'till',
          },
          conditions: [applied(), available()],
        },
        {
          identifier: {
            ordinal: 3,
            group: 'apps',
            version: 'v1',
            kind: 'Deployment',
            resource: 'deployments',
            namespace: 'shop',
            name: 'till',
          },
          conditions: [applied(1), condition('Available', 'False', 'ManifestNotAvailableYet', 1)],
        },
      ],
    });
    await fleet.stop();
  });

  test('keeps its labels, annotations and spec, and gets our finalizer', async () => {
    const fleet = await TestApplier.start();
    const { metadata, spec } = await placed(fleet, clusterPlacementWork);
    const sent = JSON.parse(clusterPlacementWork.body) as Work;
    assert.deepEqual(metadata.labels, sent.metadata.labels);
    assert.deepEqual(metadata.annotations, sent.metadata.annotations);
    assert.deepEqual(metadata.finalizers, ['kubernetes-fleet.io/work-cleanup']);
    assert.equal(metadata.generation, 1);
    assert.equal(spec?.workload?.manifests?.length, 4);
    await fleet.stop();
  });

  test('has an AppliedWork that lists all applied objects', async () => {
    const fleet = await TestApplier.start();
    await placed(fleet, clusterPlacementWork);
    const appliedWork = await fleet.appliedWork('crp-shop-work');
    assert.deepEqual(appliedWork.spec, { workName: 'crp-shop-work', workNamespace: namespace });
    const { appliedResources = [] } = appliedWork.status ?? {};
    assert.deepEqual(
      appliedResources.map(({ ordinal, resource }) => `${ordinal} ${resource}`),
      ['0 namespaces', '1 configmaps', '2 services', '3 deployments'],
    );
    assert.ok(appliedResources.every(({ uid = '' }) => /^[0-9a-f-]{36}$/.test(uid)));
    await fleet.stop();
  });

  test('for an envelope is applied server-side, and fields that the member adds are reported', async () => {
    const fleet = await TestApplier.start();
    const work = await placed(fleet, envelopeWork);
    assert.deepEqual(conditionsOf(work, 0), ['Applied=True Applied', 'Available=True Available']);
    assert.deepEqual(conditionsOf(work, 1), ['Applied=True Applied', 'Available=True Available']);
    assert.equal(manifestOf(work).driftDetails, undefined);
    await fleet.stop();
  });

  test('in v1 is applied with the default strategy', async () => {
    const fleet = await TestApplier.start();
    const work = await placed(fleet, namespacedPlacementWork);
    assert.deepEqual(conditionsOf(work), ['Applied=True Applied', 'Available=True Available']);
    const path = `/apis/placement.kubernetes-fleet.io/v1/namespaces/${namespace}/works/${work.metadata.name}`;
    const { body } = await fleet.hub.client.request({ method: 'GET', path });
    const older = JSON.parse(Buffer.from(body).toString('utf8')) as Work;
    assert.deepEqual(older.status, work.status);
    await fleet.stop();
  });

  test('of each of the three forms is deleted without remains', async () => {
    const fleet = await TestApplier.start();
    const all = [clusterPlacementWork, envelopeWork, namespacedPlacementWork];
    for (const one of all) await placed(fleet, one);
    for (const { name } of all) await fleet.hub.client.delete(works, { namespace, name });
    await fleet.settle();
    await fleet.clock.advance(60_000);
    assert.deepEqual((await fleet.hub.client.list(works, { namespace })).items, []);
    assert.deepEqual((await fleet.member.client.list(appliedWorks)).items, []);
    await fleet.stop();
  });
});
