import { ApiError, apiErrors } from '@flotilla/kube';
import type { Admission, Attributes } from './admission.ts';

/** Namespaces that must not be deleted. kube-node-lease is not one of them. */
const undeletable = new Set(['default', 'kube-system', 'kube-public']);

const namespacesCollection = 'namespaces';

/** Refuses creates in a missing or terminating namespace, and the deletion of system namespaces. */
export const namespaceLifecycle: Admission = {
  name: 'NamespaceLifecycle',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  admit: checkNamespace,
  recheck: checkNamespace,
};

function checkNamespace({ operation, resource, namespace, name, object, server }: Attributes): void {
  const isNamespace = resource.group === '' && resource.plural === 'namespaces';
  if (isNamespace && operation === 'DELETE' && undeletable.has(name)) {
    throw apiErrors.forbidden(groupResource(resource), name, 'this namespace may not be deleted');
  }
  if (operation !== 'CREATE' || isNamespace || namespace === '' || isReview(resource)) return;

  const entry = server.store.newest({ collection: namespacesCollection, name: namespace });
  if (!entry) throw apiErrors.notFound({ resource: 'namespaces', group: '' }, namespace);
  if (entry.header.deletionTimestamp !== undefined) {
    throw terminating(
      groupResource(resource),
      object?.metadata.name || object?.metadata.generateName || name,
      namespace,
    );
  }
}

/** The caller must not learn from the refusal that the namespace does not exist. */
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
