/** Claims and volumes on a real server in memory. What Kubernetes writes is compared in test/simulator. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '@flotilla/kube';
import { startTestCluster, type TestCluster } from '../cluster.testing.ts';
import { kinds, type PersistentVolume, type VolumeClaim } from '../kinds.ts';
import { claimController, provisionerController, volumeController } from './controllers.ts';
import { installStorageClass } from './install-storage-class.ts';

const namespace = 'default';
const working = ['standard', 'late'];

function claimSpec(storage: string, more: JsonObject = {}): JsonObject {
  return { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, ...more };
}

describe('a claim', () => {
  let cluster: TestCluster;
  before(async () => {
    const controllers = [claimController, volumeController(working), provisionerController(working)];
    cluster = await startTestCluster(controllers);
    await installStorageClass(cluster.client);
    await addClass('late', 'WaitForFirstConsumer');
    await addClass('elsewhere', 'Immediate');
  });
  after(() => cluster.stop());

  const create = (name: string, spec: JsonObject) => cluster.create(kinds.volumeClaim, name, spec);
  const phaseOf = async (name: string) => (await cluster.get(kinds.volumeClaim, name)).status?.phase;
  const volumeOf = ({ spec }: VolumeClaim) => getVolume(spec?.volumeName ?? '');
  const getVolume = (name: string): Promise<PersistentVolume> => cluster.client.get(kinds.volume, { name });

  async function addClass(name: string, volumeBindingMode: string): Promise<void> {
    const object = { apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name } };
    await cluster.client.create(kinds.storageClass, { ...object, provisioner: `${name}.test`, volumeBindingMode });
  }
  async function addVolume(name: string, storage: string, more: JsonObject = {}): Promise<void> {
    const spec = { accessModes: ['ReadWriteOnce'], capacity: { storage }, hostPath: { path: '/data' }, ...more };
    await cluster.client.create(kinds.volume, { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name }, spec });
    await cluster.rest();
  }
  async function removeClaim(name: string): Promise<void> {
    const value = { metadata: { finalizers: null } };
    await cluster.client.patch(kinds.volumeClaim, { namespace, name }, { type: 'merge', value });
    await cluster.client.delete(kinds.volumeClaim, { namespace, name });
    await cluster.rest();
  }

  test('of the default class gets a new volume, which goes with it', async () => {
    const claim = await create('new', claimSpec('1Gi'));
    assert.equal(claim.spec?.storageClassName, 'standard');
    assert.equal(claim.spec?.volumeName, `pvc-${claim.metadata.uid}`);
    assert.deepEqual(claim.status, { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' } });
    const provisioner = 'simulator.flotilla.dev';
    assert.deepEqual(claim.metadata.annotations, {
      'pv.kubernetes.io/bind-completed': 'yes',
      'pv.kubernetes.io/bound-by-controller': 'yes',
      'volume.beta.kubernetes.io/storage-provisioner': provisioner,
      'volume.kubernetes.io/storage-provisioner': provisioner,
    });
    const volume = await volumeOf(claim);
    assert.deepEqual([volume.status?.phase, volume.spec?.claimRef?.uid], ['Bound', claim.metadata.uid]);
    assert.deepEqual(volume.metadata.annotations, { 'pv.kubernetes.io/provisioned-by': provisioner });
    await removeClaim('new');
    assert.ok((await volumeOf(claim)).metadata.deletionTimestamp !== undefined);
  });

  test('of a class that does not work stays pending', async () => {
    const claim = await create('stuck', claimSpec('1Gi', { storageClassName: 'elsewhere' }));
    assert.equal(claim.status?.phase, 'Pending');
    assert.match((await cluster.eventsAbout('stuck')).join(), /^ExternalProvisioning: Waiting for a volume/);
  });

  test('that waits for a consumer is bound when the scheduler has chosen a node', async () => {
    const claim = await create('later', claimSpec('1Gi', { storageClassName: 'late' }));
    assert.equal(claim.status?.phase, 'Pending');
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'later' } }];
    await cluster.create(kinds.pod, 'user', { containers: [{ name: 'a', image: 'a' }], volumes });
    assert.deepEqual(await cluster.eventsAbout('later'), [
      'WaitForFirstConsumer: waiting for first consumer to be created before binding',
      'WaitForPodScheduled: waiting for pod user to be scheduled',
    ]);
    const annotations = { 'volume.kubernetes.io/selected-node': 'n1' };
    await cluster.patch(kinds.volumeClaim, 'later', { metadata: { annotations } });
    const bound = await cluster.get(kinds.volumeClaim, 'later');
    assert.equal(bound.status?.phase, 'Bound');
  });

  test('gets the smallest volume that fits, and waits if there is none', async () => {
    await addVolume('large', '9Gi', { storageClassName: 'manual' });
    await addVolume('medium', '5Gi', { storageClassName: 'manual' });
    await addVolume('small', '1Gi', { storageClassName: 'manual' });
    const claim = await create('fit', claimSpec('2Gi', { storageClassName: 'manual' }));
    assert.deepEqual([claim.spec?.volumeName, claim.status?.capacity], ['medium', { storage: '5Gi' }]);
    await create('huge', claimSpec('20Gi', { storageClassName: 'manual' }));
    assert.equal(await phaseOf('huge'), 'Pending');
    await addVolume('giant', '20Gi', { storageClassName: 'manual' });
    assert.equal(await phaseOf('huge'), 'Bound');
  });

  test('leaves a volume with the policy Retain behind', async () => {
    await addVolume('kept', '1Gi', { storageClassName: 'keep' });
    await create('owner', claimSpec('1Gi', { storageClassName: 'keep' }));
    assert.equal((await getVolume('kept')).status?.phase, 'Bound');
    await removeClaim('owner');
    assert.equal((await getVolume('kept')).status?.phase, 'Released');
    await create('owner', claimSpec('1Gi', { storageClassName: 'keep' }));
    assert.equal(await phaseOf('owner'), 'Pending', 'the volume may hold the data of another');
  });

  test('is lost with its volume', async () => {
    await addVolume('fragile', '1Gi', { storageClassName: 'break' });
    await create('victim', claimSpec('1Gi', { storageClassName: 'break' }));
    const value = { metadata: { finalizers: null } };
    await cluster.client.patch(kinds.volume, { name: 'fragile' }, { type: 'merge', value });
    await cluster.client.delete(kinds.volume, { name: 'fragile' });
    await cluster.rest();
    assert.equal(await phaseOf('victim'), 'Lost');
    const event = 'ClaimLost: Bound claim has lost its PersistentVolume. Data on the volume is lost!';
    assert.deepEqual(await cluster.eventsAbout('victim'), [event]);
  });

  test('cannot have a volume that is too small or belongs to another', async () => {
    await addVolume('tiny', '1Mi', { storageClassName: 'own' });
    await create('greedy', claimSpec('1Gi', { storageClassName: 'own', volumeName: 'tiny' }));
    assert.deepEqual(await cluster.eventsAbout('greedy'), [
      'VolumeMismatch: Cannot bind to requested volume "tiny": requested PV is too small',
    ]);
    await addVolume('taken', '1Gi', { storageClassName: 'own', claimRef: { namespace, name: 'first' } });
    await create('second', claimSpec('1Gi', { storageClassName: 'own', volumeName: 'taken' }));
    assert.deepEqual(await cluster.eventsAbout('second'), [
      'FailedBinding: volume "taken" already bound to a different claim.',
    ]);
    await create('first', claimSpec('1Gi', { storageClassName: 'own' }));
    assert.equal(await phaseOf('first'), 'Bound');
  });
});
