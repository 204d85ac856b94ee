import type { Client } from '@flotilla/client';
import { ignoreAlreadyExists } from '@flotilla/kube';
import { kinds, type StorageClass } from '../kinds.ts';
import { defaultClass } from './annotations.ts';
import { simulatedProvisioner } from './provisioner.ts';

const standard: StorageClass = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: 'standard', annotations: { [defaultClass]: 'true' } },
  provisioner: simulatedProvisioner,
  reclaimPolicy: 'Delete',
  volumeBindingMode: 'Immediate',
};

/** Creates the class of claims that name none. Leaves an existing one as it is. */
export async function installStorageClass(client: Client): Promise<void> {
  await client.create(kinds.storageClass, standard).catch(ignoreAlreadyExists);
}
