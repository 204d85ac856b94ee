/** Names on the wire that several packages send or look for. */

/** Owners with it wait until those of their dependents that block them are deleted. */
export const foregroundFinalizer = 'foregroundDeletion';
/** Owners with it leave their dependents behind. */
export const orphanFinalizer = 'orphan';
/** In the spec of a namespace: until it goes, so much of its content is left. */
export const namespaceFinalizer = 'kubernetes';

/** Finalizers of Kubernetes' own; others have a domain. */
export const standardFinalizers: ReadonlySet<string> = new Set([
  namespaceFinalizer,
  orphanFinalizer,
  foregroundFinalizer,
]);

/** The annotation and the type of a Secret that holds a token. */
export const serviceAccountNameKey = 'kubernetes.io/service-account.name';
export const serviceAccountTokenType = 'kubernetes.io/service-account-token';

/** Where pods find their credentials. */
export const serviceAccountDirectory = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The annotation of the bookmark after the last object that a watch begins with. */
export const initialEventsEndKey = 'k8s.io/initial-events-end';

/** Content types of patches. */
export const patchTypes = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;
