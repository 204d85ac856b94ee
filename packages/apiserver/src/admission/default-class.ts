import type { KubeObject } from '@flotilla/kube';
import type { Admission, AdmissionDependencies } from './admission.ts';
import { storedObjects } from './stored-objects.ts';

interface DefaultClass {
  readonly name: string;
  readonly collection: string;
  /** The field with the class name; the annotation is its older form. */
  readonly field: string;
  readonly annotation: string;
  readonly classes: string;
  /** Annotations that make a class the default. */
  readonly markers: readonly string[];
}

/** Sets the newest default class on objects without a class. */
function defaultClass({ name, collection, field, annotation, classes, markers }: DefaultClass): Admission {
  return {
    name,
    operations: ['CREATE'],
    admit({ resource, subresource, operation, object, server }) {
      if (resource.collection !== collection || subresource !== '' || operation !== 'CREATE' || !object) return;
      const spec = (object['spec'] ?? {}) as Record<string, unknown>;
      const annotations = object.metadata.annotations ?? {};
      if (spec[field] !== undefined || Object.hasOwn(annotations, annotation)) return;
      const chosen = newestDefault(server, classes, markers);
      if (chosen !== undefined) spec[field] = chosen;
    },
  };
}

function newestDefault(server: AdmissionDependencies, classes: string, markers: readonly string[]): string | undefined {
  const marked = [...storedObjects(server, classes)].filter(({ metadata }) =>
    markers.some((marker) => metadata.annotations?.[marker] === 'true'),
  );
  return marked.sort(newestFirst)[0]?.metadata.name;
}

function newestFirst({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  const order = (b.creationTimestamp ?? '').localeCompare(a.creationTimestamp ?? '');
  return order === 0 ? ((a.name ?? '') < (b.name ?? '') ? -1 : 1) : order;
}

export const defaultStorageClass = defaultClass({
  name: 'DefaultStorageClass',
  collection: 'persistentvolumeclaims',
  field: 'storageClassName',
  annotation: 'volume.beta.kubernetes.io/storage-class',
  classes: 'storageclasses.storage.k8s.io',
  markers: ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'],
});

export const defaultIngressClass = defaultClass({
  name: 'DefaultIngressClass',
  collection: 'ingresses.networking.k8s.io',
  field: 'ingressClassName',
  annotation: 'kubernetes.io/ingress.class',
  classes: 'ingressclasses.networking.k8s.io',
  markers: ['ingressclass.kubernetes.io/is-default-class'],
});
