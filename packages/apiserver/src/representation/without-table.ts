import type { Call } from '../call/call.ts';

/** What kube-apiserver has no Table for, in its own groups: `resource.group/subresource`. */
const withoutTable: ReadonlySet<string> = new Set([
  'bindings.',
  'namespaces./finalize',
  'pods./binding',
  'pods./ephemeralcontainers',
  'pods./eviction',
  'pods./resize',
  'serviceaccounts./token',
  'apiservices.apiregistration.k8s.io/status',
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
  'certificatesigningrequests.certificates.k8s.io/approval',
  'customresourcedefinitions.apiextensions.k8s.io/status',
  'resourceclaims.resource.k8s.io/status',
]);

/** Whether one object at this path has a Table. */
export function hasTable({ resource, info }: Pick<Call, 'resource' | 'info'>): boolean {
  const { plural, group } = resource;
  return !withoutTable.has(`${plural}.${group}${info.subresource === '' ? '' : `/${info.subresource}`}`);
}
