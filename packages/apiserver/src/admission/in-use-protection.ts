import type { Admission } from './admission.ts';

/** Storage that is in use stays: controllers take the finalizer away when it no longer is. */
const finalizers: ReadonlyMap<string, string> = new Map([
  ['persistentvolumes', 'kubernetes.io/pv-protection'],
  ['persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['volumeattributesclasses.storage.k8s.io', 'kubernetes.io/vac-protection'],
]);

export const inUseProtection: Admission = {
  name: 'StorageObjectInUseProtection',
  admit({ resource, subresource, operation, object }) {
    const finalizer = finalizers.get(resource.collection);
    if (finalizer === undefined || subresource !== '' || operation !== 'CREATE' || !object) return;
    const known = (object.metadata.finalizers ??= []);
    if (!known.includes(finalizer)) known.push(finalizer);
  },
};
