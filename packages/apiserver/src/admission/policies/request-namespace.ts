import { celOf, type CelValue } from '@flotilla/cel';
import { apiErrors, type JsonObject, onceFor } from '@flotilla/kube';
import { decodeStored } from '../../resources/object-bytes.ts';
import type { Entry } from '../../store/store.ts';
import type { Attributes } from '../admission.ts';
import { isNamespaces } from '../matching/requested-object.ts';

/** The metadata of a namespace that expressions can read. */
const shownMetadata = [
  'name',
  'generateName',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'finalizers',
] as const;

const noNamespace = (): CelValue => null;

/** The variable `namespaceObject`: null for cluster-scoped objects and Namespaces. Throws if the namespace does not exist. */
export function namespaceObjectOf({ resource, namespace, server }: Attributes): () => CelValue {
  if (namespace === '' || isNamespaces(resource)) return noNamespace;
  const entry = server.store.newest({ collection: 'namespaces', name: namespace });
  if (!entry) throw apiErrors.notFound({ resource: 'namespaces', group: '' }, namespace);
  return () => celOf(shownNamespace(entry));
}

const shownNamespace = onceFor((entry: Entry): JsonObject => {
  const { metadata, spec, status } = decodeStored(entry.bytes);
  const shown = shownMetadata.filter((field) => metadata[field] !== undefined);
  return {
    metadata: Object.fromEntries(shown.map((field) => [field, metadata[field]])),
    ...(spec !== undefined && { spec }),
    ...(status !== undefined && { status }),
  };
});
