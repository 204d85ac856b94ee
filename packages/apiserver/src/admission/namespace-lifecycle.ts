import { ApiError, apiErrors } from '@flotilla/kube';
import type { Admission } from './admission.ts';

/** Namespaces that the cluster cannot do without. kube-node-lease is not one of them. */
const immortal = new Set(['default', 'kube-system', 'kube-public']);

const namespacesCollection = 'namespaces';

/** Nothing is made in a namespace that is missing or on its way out, and some namespaces stay. */
export const namespaceLifecycle: Admission = {
  name: 'NamespaceLifecycle',
  admit({ operation, resource, namespace, name, object, server }) {
    const isNamespace = resource.group === '' && resource.plural === 'namespaces';
    if (isNamespace && operation === 'DELETE' && immortal.has(name)) {
      throw apiErrors.forbidden(groupResource(resource), name, 'this namespace may not be deleted');
    }
    if (operation !== 'CREATE' || isNamespace || namespace === '' || isReview(resource)) return;

    const home = server.store.newest({ collection: namespacesCollection, name: namespace });
    if (!home) throw apiErrors.notFound({ resource: 'namespaces', group: '' }, namespace);
    if (home.header.deletionTimestamp !== undefined) {
      throw terminating(
        groupResource(resource),
        object?.metadata.name || object?.metadata.generateName || name,
        namespace,
      );
    }
  },
};

/** Whoever asks about a namespace must not learn from the refusal that it is not there. */
function isReview({ plural, group }: { plural: string; group: string }): boolean {
  return plural === 'localsubjectaccessreviews' && group === 'authorization.k8s.io';
}

function groupResource({ plural, group }: { plural: string; group: string }): { resource: string; group: string } {
  return { resource: plural, group };
}

function terminating(resource: { resource: string; group: string }, name: string, namespace: string): ApiError {
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { status } = apiErrors.forbidden(resource, name, why);
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new ApiError({ ...status, details: { ...status.details, causes: [cause] } });
}
