/** The plugins for volumes and claims. */
import { parseQuantity, type KubeObject } from '@flotilla/kube';
import { forbidden, type Admission } from './admission.ts';
import { storedObject } from './stored-objects.ts';

/** Storage in use is not deleted: controllers remove the finalizer when it is unused. */
const protectionFinalizers: ReadonlyMap<string, string> = new Map([
  ['persistentvolumes', 'kubernetes.io/pv-protection'],
  ['persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['volumeattributesclasses.storage.k8s.io', 'kubernetes.io/vac-protection'],
]);

export const inUseProtection: Admission = {
  name: 'StorageObjectInUseProtection',
  operations: ['CREATE'],
  admit({ resource, subresource, operation, object }) {
    const finalizer = protectionFinalizers.get(resource.collection);
    if (finalizer === undefined || subresource !== '' || operation !== 'CREATE' || !object) return;
    const present = (object.metadata.finalizers ??= []);
    if (!present.includes(finalizer)) present.push(finalizer);
  },
};

interface ClaimFields extends KubeObject {
  spec: { storageClassName?: string; resources?: { requests?: { storage?: string } } };
  status?: { phase?: string };
}

const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** Refuses to expand a claim unless it is bound and its storage class allows expansion. */
export const claimResize: Admission = {
  name: 'PersistentVolumeClaimResize',
  operations: ['UPDATE'],
  validate(attributes) {
    const { resource, subresource, operation, object, oldObject, server } = attributes;
    if (resource.collection !== 'persistentvolumeclaims' || subresource !== '' || operation !== 'UPDATE') return;
    const claim = object as ClaimFields;
    const old = oldObject as ClaimFields;
    if (!isLarger(claim, old)) return;
    if (old.status?.phase !== 'Bound')
      throw forbidden(attributes, 'Only bound persistent volume claims can be expanded');
    const name = classOf(claim);
    const storageClass = name === '' ? undefined : storedObject(server, 'storageclasses.storage.k8s.io', name);
    if (name === classOf(old) && storageClass?.['allowVolumeExpansion'] === true) return;
    throw forbidden(
      attributes,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
  },
};

function isLarger(claim: ClaimFields, old: ClaimFields): boolean {
  return parseQuantity(sizeOf(claim)).compare(parseQuantity(sizeOf(old))) > 0;
}

function sizeOf({ spec }: ClaimFields): string {
  return spec.resources?.requests?.storage ?? '0';
}

function classOf({ metadata, spec }: ClaimFields): string {
  return metadata.annotations?.[classAnnotation] ?? spec.storageClassName ?? '';
}
