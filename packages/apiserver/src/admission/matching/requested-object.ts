/** What a request is about, in the words of Kubernetes' admission attributes. */
import type { GroupVersionKind } from '@flotilla/kube';
import type { Resource } from '../../resources/resource.ts';
import type { Attributes } from '../admission.ts';

/** The kind in the request's body: for some subresources another one than the resource's, such as Scale. */
export function kindOf(resource: Resource, subresource: string): GroupVersionKind {
  const { group, version, kind } = resource;
  if (subresource === '') return { group, version, kind };
  const found = resource.subresources.find(({ name }) => name === subresource);
  return found ? { group: found.group, version: found.version, kind: found.kind } : { group, version, kind };
}

/** A Namespace is in itself. */
export function namespaceOf({ resource, namespace, name }: Attributes): string {
  return namespace === '' && isNamespaces(resource) ? name : namespace;
}

export function isNamespaces({ group, plural }: Resource): boolean {
  return group === '' && plural === 'namespaces';
}

const configurationGroup = 'admissionregistration.k8s.io';

/** Webhooks and policies do not apply to their own kinds: a mistake in one could otherwise never be corrected. */
export function isAdmissionConfiguration({ group }: Resource): boolean {
  return group === configurationGroup;
}
