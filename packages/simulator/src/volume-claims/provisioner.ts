/** Stands for the provisioners of all classes that work. */
import { nothingToDo, type Plan } from '@flotilla/runtime';
import { kinds, type PersistentVolume, type StorageClass, type VolumeClaim } from '../kinds.ts';
import { annotationOf, hasAnnotation, provisionedBy, selectedNode, storageProvisioner } from './annotations.ts';
import { referenceTo } from './bind.ts';
import { waitsForConsumer } from './storage-class.ts';

export const simulatedProvisioner = 'simulator.flotilla.dev';

export interface Provisioning {
  readonly claim: Readonly<VolumeClaim>;
  readonly storageClass: Readonly<StorageClass>;
  /** Whether its volume exists. */
  readonly isProvisioned: boolean;
}

/** Creates a volume when the controller of claims has asked for it. */
export function decideProvisioning({ claim, storageClass, isProvisioned }: Provisioning): Plan {
  const isRequested =
    annotationOf(claim, storageProvisioner) === storageClass.provisioner && (claim.spec?.volumeName ?? '') === '';
  const isWaiting = waitsForConsumer(storageClass) && !hasAnnotation(claim, selectedNode);
  if (!isRequested || isWaiting || isProvisioned || claim.metadata.deletionTimestamp !== undefined) return nothingToDo;
  const { namespace, name } = claim.metadata;
  const object = provisionedVolume(claim, storageClass);
  const begun = `External provisioner is provisioning volume for claim "${namespace}/${name}"`;
  const done = `Successfully provisioned volume ${object.metadata.name}`;
  return {
    steps: [[{ verb: 'create', kind: kinds.volume, object }]],
    events: [
      { about: claim, type: 'Normal', reason: 'Provisioning', message: begun },
      { about: claim, type: 'Normal', reason: 'ProvisioningSucceeded', message: done },
    ],
  };
}

export function provisionedName({ metadata }: Readonly<VolumeClaim>): string {
  return `pvc-${metadata.uid}`;
}

function provisionedVolume(claim: Readonly<VolumeClaim>, storageClass: Readonly<StorageClass>): PersistentVolume {
  const { provisioner = '', reclaimPolicy = 'Delete', mountOptions } = storageClass;
  const { accessModes = [], resources, volumeMode, volumeAttributesClassName } = claim.spec ?? {};
  const name = provisionedName(claim);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name, annotations: { [provisionedBy]: provisioner } },
    spec: {
      accessModes,
      capacity: { storage: resources?.requests?.['storage'] ?? '0' },
      claimRef: referenceTo(claim),
      csi: { driver: simulatedProvisioner, volumeHandle: name },
      ...(mountOptions && { mountOptions }),
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: storageClass.metadata.name ?? '',
      ...(volumeMode !== undefined && { volumeMode }),
      ...(volumeAttributesClassName !== undefined && { volumeAttributesClassName }),
    },
  };
}
